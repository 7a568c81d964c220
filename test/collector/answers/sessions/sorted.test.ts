/** The costliest sessions first, how full their windows are, and who is next. */
import { describe, expect, it } from 'vitest';
import { compactedStory } from '../../support/compacted.ts';
import { guardedLedgers } from '../../support/guarded.ts';
import { get, ledgerHomes } from '../../support/ledger.ts';
import { adas, bobs } from '../../support/two-people.ts';
import { sessionEvents, work } from '../../support/work.ts';

const homes = ledgerHomes();
const guarded = guardedLedgers();

function session(number: number, nanoUsd: number, project = 'shop') {
  const id = `s-${String(number).padStart(2, '0')}`;
  const startedAt = `2026-11-16T09:${String(number).padStart(2, '0')}:00.000Z`;
  const turns = [{ time: startedAt, nanoUsd }];
  return sessionEvents({ id, project, billing: { anthropic: 'metered' }, startedAt, turns });
}

const ids = (answer: { json(): { rows: { id: string }[] } }) =>
  answer.json().rows.map(({ id }) => id);

describe('sessions by what they cost', () => {
  const given = [5, 9, 9, 1, 7, 9].map((nanoUsd, index) => session(index + 1, nanoUsd * 1_000));
  const costliest = ['s-02', 's-03', 's-06', 's-05', 's-01', 's-04'];

  it('come the costliest first, and by their ids where they cost the same', async () => {
    const ledger = await homes.holding(...given);
    const answer = await get(ledger, '/v1/sessions?sort=metered');
    expect(ids(answer)).toEqual(costliest);
    expect(answer.json().rows[0].meteredNanoUsd).toBe('9000');
    expect(ids(await get(ledger, '/v1/sessions'))).toEqual(costliest.toSorted().toReversed());
  });

  it('come in pages, each session once', async () => {
    const ledger = await homes.holding(...given);
    const found: string[] = [];
    let next: string | null = null;
    do {
      const cursor: string = next === null ? '' : `&cursor=${next}`;
      const answer = await get(ledger, `/v1/sessions?sort=metered&limit=2${cursor}`);
      found.push(...ids(answer));
      next = answer.json().next;
    } while (next !== null);
    expect(found).toEqual(costliest);
    const bad = await get(ledger, '/v1/sessions?sort=metered&cursor=x');
    expect(bad.json()).toMatchObject({ code: 'bad_parameter', field: 'cursor' });
    const { next: ofNewest } = (await get(ledger, '/v1/sessions?limit=1')).json();
    const mixed = await get(ledger, `/v1/sessions?sort=metered&cursor=${ofNewest}`);
    expect(mixed.json()).toMatchObject({ code: 'bad_parameter', field: 'cursor' });
  });

  it('are sorted by one kind of billing, never by the sum of several', async () => {
    const ledger = await homes.holding(work);
    const sorted = async (sort: string) => ids(await get(ledger, `/v1/sessions?sort=${sort}`));
    expect(await sorted('metered')).toEqual(['s-shop', 's-blog', 's-lost']);
    expect(await sorted('subscription')).toEqual(['s-shop', 's-blog', 's-lost']);
    expect(await sorted('unknown')).toEqual(['s-lost', 's-blog', 's-shop']);
  });

  it('are those that match', async () => {
    const ledger = await homes.holding(...given, session(7, 50_000, 'blog'));
    const answer = await get(ledger, '/v1/sessions?sort=metered&project=shop&limit=1');
    expect(ids(answer)).toEqual(['s-02']);
  });
});

it('the costliest are of what a token may see, and so is their number', async () => {
  const { ask, make, machineToken } = await guarded.open();
  const body = [...adas, ...bobs()];
  await ask({ method: 'POST', url: '/v1/events', token: machineToken, body });
  const { text } = await make({ scopes: ['read'], onlyOwn: true });
  const url = '/v1/sessions?total=include&sort=metered';
  const { rows, total } = JSON.parse((await ask({ url, token: text })).text);
  expect(rows.map(({ id }: { id: string }) => id).toSorted()).toEqual([
    'ada-blog',
    'ada-child',
    'ada-shop',
  ]);
  expect(total).toBe(3);
});

describe('the context of a session in a list', () => {
  it('is where its window stands, as its own page has it', async () => {
    const ledger = await homes.holding(compactedStory({ id: 's1' }).events, session(1, 5));
    const { rows } = (await get(ledger, '/v1/sessions?context=include&limit=50')).json();
    const { now } = (await get(ledger, '/v1/context/s1')).json();
    const context = Object.fromEntries(
      rows.map((row: { id: string; context: unknown }) => [row.id, row.context]),
    );
    expect(context.s1).toEqual({
      time: now.time,
      tokens: now.tokens,
      heldTokens: now.heldTokens,
      windowTokens: now.threshold.windowTokens,
      thresholdTokens: now.threshold.thresholdTokens,
    });
    expect(context.s1.thresholdTokens).toBeGreaterThan(0);
    expect(context['s-01']).toMatchObject({ windowTokens: null, thresholdTokens: null });
    const csv = await get(ledger, '/v1/sessions?context=include&limit=50&format=csv');
    expect(csv.text.split('\r\n')[0]).toContain('context.tokens,context.thresholdTokens');
  });

  it('is asked for a page of 50 at most, and not there unasked', async () => {
    const ledger = await homes.holding(session(1, 5));
    const answer = await get(ledger, '/v1/sessions?context=include');
    expect(answer.json()).toMatchObject({ code: 'bad_parameter', field: 'context' });
    expect((await get(ledger, '/v1/sessions')).json().rows[0]).not.toHaveProperty('context');
  });
});

it('a session knows which were seen before and after it', async () => {
  const ledger = await homes.holding(work);
  const besides = async (id: string) => {
    const { newer, older } = (await get(ledger, `/v1/sessions/${id}`)).json();
    return { newer, older };
  };
  expect(await besides('s-shop')).toEqual({ newer: 's-lost', older: null });
  expect(await besides('s-lost')).toEqual({ newer: 's-blog', older: 's-shop' });
  expect(await besides('s-blog')).toEqual({ newer: null, older: 's-lost' });
});
