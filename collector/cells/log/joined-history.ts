/** What is sealed in the logs of several cells, read as one (joined-log.ts). */

import type { History, Seal } from '../../log/history.ts';
import type { StoredEvent } from '../../log/stored-event.ts';
import { cellPosition, joinedPosition, positionsPerCell } from './cell-positions.ts';

export function joinHistories(cells: readonly History[]): History {
  return {
    async seal() {
      const seals = await Promise.all(cells.map((history) => history.seal()));
      return seals
        .flatMap((seal, cell) => (seal === null ? [] : [sealIn(cell, seal)]))
        .reduce<Seal | null>((last, each) => latest(last, each), null);
    },
    async positionOf(eventId) {
      const found = await Promise.all(cells.map((history) => history.positionOf(eventId)));
      const cell = found.findIndex((position) => position !== null);
      return cell < 0 ? null : joinedPosition({ cell, position: found[cell] ?? 0 });
    },
    async below(floorMs, before, afterId, limit, charsMax) {
      const end = cellPosition(before);
      const found = await Promise.all(
        cells.slice(0, end.cell + 1).map(async (history, cell) => {
          const until = cell === end.cell ? end.position : positionsPerCell;
          const events = await history.below(floorMs, until, afterId, limit, charsMax);
          return { events, cell };
        }),
      );
      return inOrder(found, limit, charsMax !== undefined);
    },
    async countBelow(floorMs) {
      const counts = await Promise.all(cells.map((history) => history.countBelow(floorMs)));
      return counts.reduce((sum, count) => sum + count, 0);
    },
    enforce: () => Promise.reject(readOnly()),
    expire: () => Promise.reject(readOnly()),
    async settledFloorMs() {
      return Math.min(...(await Promise.all(cells.map((history) => history.settledFloorMs()))));
    },
  };
}

export function readOnly(): Error {
  return new Error('Cells are written one by one: the logs of several together are only read.');
}

function latest(last: Seal | null, each: Seal): Seal {
  return last === null || each.floorMs > last.floorMs ? each : last;
}

function sealIn(cell: number, seal: Seal): Seal {
  const at = (position: number) => joinedPosition({ cell, position });
  const { superseded } = seal;
  return {
    ...seal,
    first: at(seal.first),
    last: at(seal.last),
    superseded:
      superseded === null ? null : { first: at(superseded.first), last: at(superseded.last) },
  };
}

interface Found {
  readonly events: readonly StoredEvent[];
  readonly cell: number;
}

/**
 * By id. Where a cell may have ended its read early, nothing after its last id is taken: what it
 * left out would be missing between.
 */
function inOrder(
  found: readonly Found[],
  limit: number,
  mayBeShort: boolean,
): readonly StoredEvent[] {
  const ends = found.flatMap(({ events }) => (mayBeShort ? (events.at(-1)?.event.id ?? []) : []));
  const end = ends.toSorted()[0];
  return found
    .flatMap(({ events, cell }) =>
      events.map((stored) => ({
        ...stored,
        position: joinedPosition({ cell, position: stored.position }),
      })),
    )
    .filter(({ event }) => end === undefined || event.id <= end)
    .sort((left, right) => (left.event.id < right.event.id ? -1 : 1))
    .slice(0, limit);
}
