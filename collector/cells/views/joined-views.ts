/**
 * The views of a ledger with several cells (ingest/kafka/partition-of.ts), as those of one.
 *
 * Contract (test/suites/cells.ts): every answer equals that of one cell which folded the same
 * events, those of a session in the same order; what it differs in is said here.
 * - `live` is null until every cell has a generation. Its id rises whenever that of a cell does;
 *   version and settings are those of the cell with the lowest version. The checkpoint is a
 *   position of the joined log (log/cell-positions.ts): where the first cell goes on that has not
 *   folded all of its log; `parts` says how far each cell is.
 * - `setAside` lists by position in the joined log, cell after cell.
 * - A query asks every cell. It sees whole commits of each, not one moment of all: a document that
 *   changes meanwhile may be missing from a page, as between two pages of one cell, but is never
 *   there twice.
 */

import type { Log } from '../../log/log.ts';
import type { Projection } from '../../projections/projection.ts';
import { addedSums } from '../../views/added-sums.ts';
import { sumsToTally, tallied } from '../../views/tallied.ts';
import type {
  DocumentQuery,
  Generation,
  TallyQuery,
  ViewDocument,
  ViewsReader,
} from '../../views/views.ts';
import { joinedPosition, reachedIn } from '../log/cell-positions.ts';
import { inOrder } from './in-order.ts';
import { countWhole, findWhole, type Joined } from './whole-documents.ts';

export interface ReadCell {
  readonly views: ViewsReader;
  readonly log: Pick<Log, 'head'>;
}

/** `cells`: by number. */
export function joinViews(cells: readonly ReadCell[]): ViewsReader {
  const views = cells.map((cell) => cell.views);
  const sum: ViewsReader['sum'] = async (projection, rollup, query) => {
    const rows = await Promise.all(views.map((each) => each.sum(projection, rollup, query)));
    return addedSums(query.by, rows.flat());
  };
  return {
    async live(projection) {
      const found = await Promise.all(views.map((each) => each.live(projection)));
      const live = found.filter((each) => each !== null);
      return live.length < cells.length ? null : joinedGeneration(cells, live);
    },
    async find(projection, query) {
      if (query.limit < 1) return [];
      const joined = joinedOf(projection);
      return joined === null
        ? findSeparate(views, projection, query)
        : findWhole(views, joined, query);
    },
    async count(projection, where) {
      const joined = joinedOf(projection);
      if (joined !== null) return countWhole(views, joined, where);
      return added(await Promise.all(views.map((each) => each.count(projection, where))));
    },
    sum,
    async tally(projection, rollup, query) {
      if (!isInOneCell(query))
        return tallied(query, await sum(projection, rollup, sumsToTally(query)));
      const rows = await Promise.all(views.map((each) => each.tally(projection, rollup, query)));
      return addedTallies(query, rows.flat());
    },
    async setAside(projection, limit) {
      const lists = await Promise.all(views.map((each) => each.setAside(projection, limit)));
      const events = lists.flatMap((list, cell) =>
        list.events.map((event) => ({
          ...event,
          position: joinedPosition({ cell, position: event.position }),
        })),
      );
      return { count: added(lists.map(({ count }) => count)), events: events.slice(0, limit) };
    },
  };
}

async function joinedGeneration(
  cells: readonly ReadCell[],
  live: readonly Generation[],
): Promise<Generation> {
  const heads = await Promise.all(cells.map(({ log }) => log.head()));
  const oldest = live.reduce((old, each) => (each.version < old.version ? each : old));
  return {
    // A cell's ids rise, so that no two states have one sum.
    id: added(live.map(({ id }) => id)),
    version: oldest.version,
    settings: oldest.settings,
    checkpoint: reachedIn(
      live.map(({ checkpoint }) => checkpoint),
      heads,
    ),
    parts: live.map(({ id, checkpoint }, cell) => ({
      id,
      after: joinedPosition({ cell, position: 0 }),
      checkpoint: joinedPosition({ cell, position: checkpoint }),
    })),
  };
}

function joinedOf(projection: Projection): Joined | null {
  const { joining } = projection;
  return joining === undefined ? null : { projection, joining };
}

/** Each document is in one cell. */
async function findSeparate(
  views: readonly ViewsReader[],
  projection: Projection,
  query: DocumentQuery,
): Promise<readonly ViewDocument[]> {
  const found = new Map<string, ViewDocument>();
  for await (const document of inOrder(views, projection, query)) {
    if (!found.has(document.key)) found.set(document.key, document);
    if (found.size === query.limit) break;
  }
  return [...found.values()];
}

/** All rows of a session are in one cell: no word is counted in two. */
function isInOneCell({ by, of }: TallyQuery): boolean {
  return of === 'session' || by.includes('session');
}

function addedTallies({ by }: TallyQuery, rows: Awaited<ReturnType<ViewsReader['tally']>>) {
  const groups = Map.groupBy(rows, ({ dimensions }) =>
    JSON.stringify(by.map((name) => dimensions[name])),
  );
  return [...groups.values()].map((group) => ({
    dimensions: group[0]?.dimensions ?? {},
    count: added(group.map(({ count }) => count)),
  }));
}

function added(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0);
}
