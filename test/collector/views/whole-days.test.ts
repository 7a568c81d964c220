import fc from 'fast-check';
import { expect, it } from 'vitest';
import { usage } from '../../../collector/projections/usage.ts';
import type { SumQuery, ViewsReader } from '../../../collector/views/views.ts';
import { withWholeDays } from '../../../collector/views/whole-days.ts';
import { sessions } from '../projections/support/bare-sessions.ts';
import { ledgerHomes } from '../support/ledger.ts';
import { sessionEvents } from '../support/work.ts';

const homes = ledgerHomes();

/** Far east and far west, at every third hour of six days. */
async function spent(): Promise<ViewsReader> {
  const users = [-720, -300, 0, 330, 840].map((utcOffsetMinutes, index) =>
    sessionEvents({
      id: `s-${index}`,
      project: `p-${index % 2}`,
      user: `u-${index % 3}`,
      utcOffsetMinutes,
      billing: { anthropic: index % 2 === 0 ? 'metered' : 'subscription' },
      startedAt: '2026-11-10T00:00:00.000Z',
      turns: Array.from({ length: 48 }, (_, turn) => ({
        time: new Date(Date.UTC(2026, 10, 10, 3 * turn, 30)).toISOString(),
        nanoUsd: 7 ** (index + 1) + turn,
      })),
    }),
  );
  return (await homes.holding(...users)).views;
}

it('sums until an hour are the same as from rows of hours', async () => {
  const views = await spent();
  const asked: SumQuery[] = [];
  const noting: ViewsReader = {
    ...views,
    sum(projection, rollup, query) {
      asked.push(query);
      return views.sum(projection, rollup, query);
    },
  };
  const day = fc
    .integer({ min: 9, max: 16 })
    .map((date) => `2026-11-${date}`.replace(/-9$/, '-09'));
  const hour = fc
    .tuple(day, fc.integer({ min: 0, max: 23 }))
    .map(([on, at]) => `${on}T${String(at).padStart(2, '0')}`);
  const by = fc.subarray(['project', 'user', 'billing', 'day', 'session', 'branch']);
  await fc.assert(
    fc.asyncProperty(by, fc.option(day), hour, fc.boolean(), async (names, since, until, isOne) => {
      const where = [
        ...(since === null ? [] : [{ column: 'day', is: 'from' as const, values: [since] }]),
        { column: 'hour', is: 'before' as const, values: [until] },
        ...(isOne ? [{ column: 'project', is: 'in' as const, values: ['p-1'] }] : []),
      ];
      const query: SumQuery = { by: names, where };
      expect(await withWholeDays(noting).sum(sessions, usage, query)).toEqual(
        await views.sum(sessions, usage, query),
      );
      const tally = { ...query, of: 'session' };
      const rows = await withWholeDays(noting).tally(sessions, usage, tally);
      expect(new Set(rows)).toEqual(new Set(await views.tally(sessions, usage, tally)));
    }),
    { numRuns: 200 },
  );
  const ofDays = asked.filter(({ where }) => !where.some(({ column }) => column === 'hour'));
  expect(ofDays.length).toBeGreaterThan(20);
});
