import type { Request, RequestList, TimelineItem } from '@pi-ledger/contract/answers';
import { describe, expect, it } from 'vitest';
import type { Ledger } from '../../../../collector/roles/ledger.ts';
import { spendOf } from '../../projections/support/given.ts';
import { get, ledgerHomes } from '../../support/ledger.ts';
import { Story } from '../context/given.ts';

const { holding } = ledgerHomes();

/** Sessions that overlap: each has a priced, an unpriced and a failed answer, and a summary. */
function session(index: number): Story {
  const story = new Story(`s${index}`).wait(index * 3);
  story.live('pi.session.attributed.v1', {
    project: { name: index % 2 === 0 ? 'even' : 'odd', remote: null, branch: null, worktree: null },
    billing: { anthropic: index % 3 === 0 ? 'subscription' : 'metered' },
  });
  story.user(`u${index}`).turn(`a${index}`, spendOf({ costNanoUsd: 1_000 + index }));
  story.turn(`b${index}`, spendOf({ model: 'other', costNanoUsd: null, costSource: 'unpriced' }));
  story.turn(`c${index}`, { reported: false });
  return story.compaction(`d${index}`, { tokensBefore: 900 });
}

const count = 60;
const stories = () => Array.from({ length: count }, (_, index) => session(index).events);

async function requests(ledger: Ledger, query: string): Promise<RequestList> {
  const answer = await get(ledger, `/v1/requests${query}`);
  expect(answer.status).toBe(200);
  return answer.json();
}

/** From the time lines of all sessions. */
async function everyRequest(ledger: Ledger) {
  const found: { time: string; session: string; kind: string; failed: boolean }[] = [];
  for (let index = 0; index < count; index += 1) {
    const { items } = (await get(ledger, `/v1/sessions/s${index}/timeline?points=5000`)).json();
    for (const { time, kind, failed } of items as TimelineItem[])
      if (kind === 'turn' || kind === 'compaction')
        found.push({ time, session: `s${index}`, kind, failed });
  }
  return found.sort((left, right) => (left.time < right.time ? 1 : -1));
}

const timesOf = (rows: readonly { time: string }[]) => rows.map(({ time }) => time);

describe('GET /v1/requests', () => {
  it('has the newest of all sessions, and says when there are no others', async () => {
    const ledger = await holding(...stories());
    const all = await everyRequest(ledger);
    for (const limit of [1, 7, 100]) {
      const { rows, isComplete } = await requests(ledger, `?limit=${limit}`);
      expect(timesOf(rows)).toEqual(timesOf(all.slice(0, limit)));
      expect(isComplete).toBe(true);
    }
    const whole = await requests(ledger, '?limit=1000');
    expect(whole.rows).toHaveLength(all.length);
    expect(whole.sessionsRead).toBe(count);
    const few = await requests(ledger, '?limit=1');
    expect(few.sessionsRead).toBeLessThan(count);
  });

  it('narrows by what failed, by whom and by what it was of', async () => {
    const ledger = await holding(...stories());
    const all = await everyRequest(ledger);
    const failed = await requests(ledger, '?only=failed&limit=1000');
    expect(timesOf(failed.rows)).toEqual(timesOf(all.filter((each) => each.failed)));
    expect(failed.rows.every((row) => row.costSource === 'unreported')).toBe(true);
    const odd = await requests(ledger, '?project=odd&model=other&limit=1000');
    expect(odd.rows).toHaveLength(count / 2);
    expect(odd.rows.every((row) => row.project === 'odd' && row.costNanoUsd === null)).toBe(true);
    expect((await requests(ledger, '?until=2020-01-01')).rows).toEqual([]);
    expect((await get(ledger, '/v1/requests?until=soon')).json().field).toBe('until');
  });

  it('adds up to what usage says, of each kind of billing', async () => {
    const ledger = await holding(...stories());
    const { rows } = await requests(ledger, '?limit=1000');
    const sum = (of: Request['billing']) =>
      rows
        .filter(({ billing }) => billing === of)
        .reduce((total, { costNanoUsd }) => total + BigInt(costNanoUsd ?? '0'), 0n);
    const { total } = (await get(ledger, '/v1/usage?by=project')).json();
    expect(String(sum('metered'))).toBe(total.meteredNanoUsd);
    expect(String(sum('subscription'))).toBe(total.subscriptionNanoUsd);
  });

  it("counts the days of a time zone, whatever the spenders' own are", async () => {
    const story = new Story('s').wait(15 * 3_600 - 1_800);
    story.live('pi.session.attributed.v1', { utcOffsetMinutes: 60 });
    const ledger = await holding(story.user('u').turn('a', spendOf({})).events);
    const [{ time } = { time: '' }] = (await requests(ledger, '')).rows;
    const on = async (query: string) => (await requests(ledger, query)).rows.length;
    const [day = ''] = time.split('T');
    const next = new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);
    // The evening in UTC is the next day already where it was spent.
    expect(await on(`?timezone=UTC&since=${day}&until=${day}`)).toBe(1);
    expect(await on(`?timezone=UTC&model=sonnet&since=${day}&until=${day}`)).toBe(1);
    expect(await on(`?since=${next}&until=${next}`)).toBe(1);
    expect(await on(`?since=${day}&until=${day}`)).toBe(0);
  });
});
