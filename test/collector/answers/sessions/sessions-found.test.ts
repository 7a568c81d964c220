/** Which sessions of many match, how many they are, and in which order they come. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { listByAmount } from '../../../../collector/answers/sessions/by-amount.ts';
import { listSessions } from '../../../../collector/answers/sessions/query.ts';
import {
  countSessions,
  type SessionFilters,
} from '../../../../collector/answers/sessions/search.ts';
import { visibleViews } from '../../../../collector/answers/views/visible-views.ts';
import { sessions } from '../../projections/support/bare-sessions.ts';
import { ledgerHomes } from '../../support/ledger.ts';
import { type SessionOptions, sessionEvents } from '../../support/work.ts';

const homes = ledgerHomes();
const projects = ['shop', 'blog'];
const billings = ['metered', 'subscription', 'unknown'] as const;

const instant = fc
  .integer({ min: 0, max: 8 * 24 * 60 })
  .map((minute) => new Date(Date.UTC(2026, 10, 10, 0, minute)).toISOString());
const wished = fc.record({
  project: fc.constantFrom(...projects),
  utcOffsetMinutes: fc.constantFrom(-720, -300, 0, 330, 840),
  billing: fc.constantFrom<NonNullable<SessionOptions['billing']>[]>(
    { anthropic: 'metered' },
    { anthropic: 'subscription' },
    {},
  ),
  times: fc.array(instant, { minLength: 1, maxLength: 3 }),
  nanoUsd: fc.constantFrom(0, 5, 70, 10 ** 15, null),
});

/** The old way: of what a caller with limits sees, here of everything. */
const limits = [{ column: 'project', is: 'in' as const, values: projects }];

it('match by spenders’ days, as many as are counted, and come the costliest first', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(wished, { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 9, max: 18 }),
      fc.integer({ min: 0, max: 4 }),
      async (wishes, first, days) => {
        const given = wishes.map(({ times, nanoUsd, ...rest }, index) => {
          const sorted = times.toSorted();
          const startedAt = sorted[0] ?? '';
          const turns = sorted.map((time) => ({ time, nanoUsd }));
          return { ...rest, id: `s-${String(index).padStart(2, '0')}`, startedAt, turns };
        });
        const { views } = await homes.holding(...given.map(sessionEvents));
        const asked = { views, sessions };
        const dayText = (date: number) => `2026-11-${String(date).padStart(2, '0')}`;
        const [since, until] = [dayText(first), dayText(first + days)] as const;
        const filters: SessionFilters = { since, until };
        const fitting = given.filter(({ startedAt, turns, utcOffsetMinutes }) => {
          const dayOf = (time: string) =>
            new Date(Date.parse(time) + utcOffsetMinutes * 60_000).toISOString().slice(0, 10);
          const last = turns.at(-1)?.time ?? startedAt;
          return dayOf(last) >= since && dayOf(startedAt) <= until;
        });
        const all = visibleViews(asked);
        const { rows } = await listSessions(asked, filters, { after: null, limit: 100 });
        expect(rows.map(({ id }) => id).toSorted()).toEqual(fitting.map(({ id }) => id));
        expect(await countSessions(asked, filters)).toBe(fitting.length);
        expect(await countSessions(asked, { ...filters, provider: ['anthropic'] })).toBe(
          (await listSessions(asked, { ...filters, provider: ['anthropic'] }, page)).rows.length,
        );
        for (const billing of billings) {
          const search = { billing, after: null, limit: 5 };
          const costliest = await listByAmount(all, filters, search);
          expect(costliest).toEqual(
            await listByAmount(visibleViews(asked, limits), filters, search),
          );
          if (costliest.next !== null)
            expect(await listByAmount(all, filters, { ...search, after: costliest.next })).toEqual(
              await listByAmount(visibleViews(asked, limits), filters, {
                ...search,
                after: costliest.next,
              }),
            );
        }
      },
    ),
    { numRuns: 15 },
  );
});

const page = { after: null, limit: 100 };
