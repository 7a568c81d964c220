import { expect, it } from 'vitest';
import { countSessions } from '../../../collector/queries/session-aside.ts';
import { listSessions } from '../../../collector/queries/sessions.ts';
import type { ViewsReader } from '../../../collector/views/views.ts';

/** A store with so many sessions; notes how many it was asked for. */
function store(sessions: number): { views: ViewsReader; read: () => number } {
  let read = 0;
  const views: ViewsReader = {
    live: async () => null,
    sum: async () => [],
    setAside: async () => ({ count: 0, events: [] }),
    async find(_projection, { after, limit }) {
      const from = after === undefined ? 0 : Number(after.key) + 1;
      const length = Math.max(0, Math.min(limit, sessions - from));
      read += length;
      return Array.from({ length }, (_, index) => ({
        key: String(from + index),
        columns: { lastSeenAt: '2026-11-20T08:00:00.000Z' },
        body: '',
      }));
    },
  };
  return { views, read: () => read };
}

it.each([0, 1, 499, 500, 501, 9_999, 10_000])('of %i sessions, all', async (sessions) => {
  expect(await countSessions(store(sessions).views, {})).toBe(sessions);
});

it('of more than can be examined, none: nobody knows', async () => {
  const { views, read } = store(50_000);
  expect(await countSessions(views, {})).toBeNull();
  expect(read()).toBe(10_001);
});

it('a list in which nothing fits goes on where it stopped, until its end', async () => {
  const { views, read } = store(12_000);
  const nowhere = { model: ['none'] };
  const first = await listSessions(views, nowhere, { after: null, limit: 20 });
  expect(first).toMatchObject({ rows: [], next: { id: '9999' } });
  expect(read()).toBe(10_000);
  const second = await listSessions(views, nowhere, { after: first.next, limit: 20 });
  expect(second).toEqual({ rows: [], next: null });
});
