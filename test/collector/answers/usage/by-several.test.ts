/** Reports by several things at once. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { get, ledgerHomes } from '../../support/ledger.ts';
import { work } from '../../support/work.ts';

const homes = ledgerHomes();

type Row = Readonly<Record<string, unknown>>;

async function rowsOf(query: string, ledger = homes.holding(work)): Promise<readonly Row[]> {
  return (await get(await ledger, `/v1/usage?${query}`)).json().rows;
}

const shown = (rows: readonly Row[], ...names: string[]) =>
  rows.map((row) => names.map((name) => row[name]));

describe('GET /v1/usage by several things', () => {
  it('has a row for each combination, with a field for each grouping', async () => {
    const answer = (await get(await homes.holding(work), '/v1/usage?by=user,model')).json();
    expect(answer.by).toEqual(['user', 'model']);
    expect(shown(answer.rows, 'user', 'model', 'records')).toEqual([
      // $0.000005 metered before $0.000007 that a plan covers.
      ['ada', 'claude-sonnet-5', 2],
      ['ada', 'gpt-6', 1],
      [null, 'claude-sonnet-5', 1],
      ['bob', 'claude-sonnet-5', 1],
      ['bob', 'tiny', 1],
    ]);
  });

  it('is sorted by the first grouping, within it by the next: by cost, or by time', async () => {
    const days = shown(await rowsOf('by=project,day'), 'project', 'day');
    expect(days.map(([project]) => project)).toEqual(['shop', 'shop', null, 'blog']);
    expect(days.filter(([project]) => project === 'shop').map(([, day]) => day)).toEqual([
      '2026-11-16',
      '2026-11-17',
    ]);
    const projects = shown(await rowsOf('by=day,project'), 'day', 'project');
    expect(projects.map(([day]) => day)).toEqual(projects.map(([day]) => day).toSorted());
  });

  it('pages through each row once, in the same order, however small the page', async () => {
    const ledger = homes.holding(work);
    const some = fc.constantFrom('user', 'project', 'day', 'hour', 'model', 'tree', 'costSource');
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(some, { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 1, max: 3 }),
        async (by, limit) => {
          const query = `by=${by.join()}`;
          const all = await rowsOf(query, ledger);
          const paged: Row[] = [];
          for (let cursor: string | null = ''; cursor !== null; ) {
            const url = `/v1/usage?${query}&limit=${limit}${cursor && `&cursor=${cursor}`}`;
            const page: { rows: Row[]; next: string | null } = (
              await get(await ledger, url)
            ).json();
            paged.push(...page.rows);
            cursor = page.next;
          }
          expect(paged).toEqual(all);
        },
      ),
      { numRuns: 30 },
    );
  });

  it('has the same rows in one time zone, with its days', async () => {
    const [own, zoned] = [
      await rowsOf('by=user,model'),
      await rowsOf('by=user,model&timezone=Asia/Kolkata'),
    ];
    expect(zoned).toEqual(own);
    const days = await rowsOf('by=user,day,hour&timezone=Asia/Kolkata');
    // 22:30 in UTC is the next day in Kolkata.
    expect(days.filter(({ hour }) => hour === '2026-11-21T22:00:00Z')).toMatchObject([
      { user: 'bob', day: '2026-11-22' },
    ]);
    expect(shown(days, 'records').flat()).toEqual(
      shown(await rowsOf('by=user,hour'), 'records').flat(),
    );
  });

  it('counts the sessions of a tree in each row', async () => {
    const rows = await rowsOf('by=tree,day');
    expect(shown(rows, 'tree', 'day', 'sessions')[0]).toEqual(['s-shop', '2026-11-16', 1]);
  });

  it('has them in CSV, each in a column of its own, and the amounts of each billing', async () => {
    const { text } = await get(await homes.holding(work), '/v1/usage?by=user,day&format=csv');
    const [header = '', first = ''] = text.split('\r\n');
    expect(header.split(',').slice(0, 3)).toEqual(['user', 'day', 'records']);
    const at = header.split(',').indexOf('byBilling.metered.inputNanoUsd');
    expect(first.split(',').slice(at, at + 2)).toEqual(['820000', '0.00082']);
  });

  it('says what there is when a grouping is none', async () => {
    const answer = await get(await homes.open(), '/v1/usage?by=user,planet');
    expect(answer.json().message).toBe(
      'by: "planet" is not one of project, branch, model, provider, user, machine, host, ' +
        'session, tree, kind, hour, day, week, month, agentKind, agent, thinking, costSource, ' +
        'stopReason, commit, pr, label:KEY.',
    );
  });
});
