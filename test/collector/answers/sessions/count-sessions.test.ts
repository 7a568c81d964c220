import { expect, it } from 'vitest';
import { listByAmount } from '../../../../collector/answers/sessions/by-amount.ts';
import { listSessions } from '../../../../collector/answers/sessions/query.ts';
import { countSessions } from '../../../../collector/answers/sessions/search.ts';
import { visibleViews } from '../../../../collector/answers/views/visible-views.ts';
import { toSortable } from '../../../../collector/projections/session/columns.ts';
import type { ViewsReader } from '../../../../collector/views/views.ts';
import { sessions } from '../../projections/support/bare-sessions.ts';

/** A store with so many sessions; notes how many it was asked for. */
function store(number: number) {
  let read = 0;
  const views: ViewsReader = {
    live: async () => null,
    sum: async () => [],
    tally: async () => [],
    count: async () => number,
    setAside: async () => ({ count: 0, events: [] }),
    async find(_projection, { where, after, limit }) {
      // Nobody has a parent.
      if (where.some(({ column }) => column === 'parentSessionId')) return [];
      const from = after === undefined ? 0 : Number(after.key) + 1;
      const length = Math.max(0, Math.min(limit, number - from));
      read += length;
      return Array.from({ length }, (_, index) => ({
        key: String(from + index),
        columns: {
          lastSeenAt: '2026-11-20T08:00:00.000Z',
          meteredOrder: toSortable(1_000n - BigInt(from + index)),
        },
        body: sessions.encode(sessions.initial(String(from + index))),
      }));
    },
  };
  return { asked: { views, sessions }, read: () => read };
}

it.each([0, 1, 10_000, 100_000])('of %i sessions, all, without reading them', async (number) => {
  const { asked, read } = store(number);
  expect(await countSessions(asked, {})).toBe(number);
  expect(read()).toBe(0);
});

it('of a hundred thousand, the costliest are found by reading a few', async () => {
  const { asked, read } = store(100_000);
  const search = { billing: 'metered', after: null, limit: 20 } as const;
  const { next } = await listByAmount(visibleViews(asked), {}, search);
  expect(next).toEqual({ id: '19', amount: 981n });
  expect(read()).toBeLessThan(200);
});

it('a list in which nothing fits goes on where it stopped, until its end', async () => {
  const { asked, read } = store(12_000);
  const nowhere = { model: ['none'] };
  const first = await listSessions(asked, nowhere, { after: null, limit: 20 });
  expect(first).toMatchObject({ rows: [], next: { id: '9999' } });
  expect(read()).toBe(10_000);
  const second = await listSessions(asked, nowhere, { after: first.next, limit: 20 });
  expect(second).toEqual({ rows: [], next: null });
});
