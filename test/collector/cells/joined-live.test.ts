/** What changed in a ledger of several cells, for who listens. */
import { expect, it } from 'vitest';
import { joinLive } from '../../../collector/cells/joined-live.ts';
import type { ChangedSpan } from '../../../collector/http/page/live/changed.ts';

/** A cell whose n-th event is of the session `name` and n; more than ten at once are not read. */
function cellOf(name: string) {
  const listeners = new Set<(position: number) => void>();
  return {
    listeners,
    commit: (position: number) => {
      for (const listener of listeners) listener(position);
    },
    live: {
      follow(listener: (position: number) => void) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
      async readChangedIds({ from, to }: ChangedSpan) {
        if (to - from > 10) return { ids: [], more: true };
        return {
          ids: Array.from({ length: to - from }, (_, at) => `${name}${from + at + 1}`),
          more: false,
        };
      },
    },
  };
}

function twoCells() {
  const [a, b] = [cellOf('a'), cellOf('b')];
  const joined = joinLive([a.live, b.live]);
  const heard: number[] = [];
  const unfollow = joined.follow((position) => heard.push(position));
  return { a, b, joined, heard, unfollow };
}

it('tells how many events all cells have committed, once each cell has said something', () => {
  const { a, b, heard, unfollow } = twoCells();
  a.commit(3);
  expect(heard).toEqual([]);
  b.commit(1);
  a.commit(5);
  expect(heard).toEqual([4, 6]);
  unfollow();
  expect([a.listeners.size, b.listeners.size]).toEqual([0, 0]);
});

it('names the sessions of all cells that changed between two of its positions', async () => {
  const { a, b, joined } = twoCells();
  a.commit(3);
  b.commit(1);
  b.commit(3);
  a.commit(4);
  expect(await joined.readChangedIds({ from: 4, to: 7 })).toEqual({
    ids: ['a4', 'b2', 'b3'],
    more: false,
  });
  expect(await joined.readChangedIds({ from: 4, to: 6 })).toEqual({
    ids: ['b2', 'b3'],
    more: false,
  });
});

it('says that there is more where it cannot tell: an older position, or many events', async () => {
  const { a, b, joined } = twoCells();
  a.commit(1);
  b.commit(1);
  a.commit(50);
  expect(await joined.readChangedIds({ from: 0, to: 2 })).toEqual({ ids: [], more: true });
  expect(await joined.readChangedIds({ from: 2, to: 51 })).toEqual({ ids: [], more: true });
  for (let position = 1; position <= 300; position += 1) b.commit(position);
  expect(await joined.readChangedIds({ from: 2, to: 350 })).toEqual({ ids: [], more: true });
});
