/**
 * What changes in several cells, for who listens: a position is how many events all cells have
 * committed. What changed between two of them is known while both are remembered.
 */
import { type ChangedIds, type ChangedSpan, joinChangedIds } from '../http/page/live/changed.ts';
import type { LiveRouteOptions } from '../http/page/live/route.ts';
import { followAll } from './joined-subscription.ts';

type Live = Pick<LiveRouteOptions, 'follow' | 'readChangedIds'>;

/** Those who hear of it within a minute, at two lines a second. */
const rememberedMax = 256;

export function joinLive(cells: readonly Live[]): Live {
  /** Positions of the cells, by their sum. */
  const remembered = new Map<number, readonly number[]>();

  function remember(positions: readonly number[]): number {
    const sum = positions.reduce((total, position) => total + position, 0);
    if (!remembered.has(sum)) remembered.set(sum, [...positions]);
    const [oldest] = remembered.keys();
    if (remembered.size > rememberedMax && oldest !== undefined) remembered.delete(oldest);
    return sum;
  }

  async function readChangedIds({ from, to }: ChangedSpan): Promise<ChangedIds> {
    const [before, after] = [remembered.get(from), remembered.get(to)];
    if (before === undefined || after === undefined) return { ids: [], more: true };
    const parts = cells.map(async (cell, index): Promise<ChangedIds> => {
      const span = { from: before[index] ?? 0, to: after[index] ?? 0 };
      return span.to > span.from ? cell.readChangedIds(span) : { ids: [], more: false };
    });
    return joinChangedIds(await Promise.all(parts));
  }

  return {
    follow: (listener) => followAll(cells, (positions) => listener(remember(positions))),
    readChangedIds,
  };
}
