/**
 * The cells of a minute behind some hours of the rollup `usage`, from the documents of the sessions
 * that have spend in them.
 */
import { usage } from '../../projections/usage.ts';
import { fits } from '../../views/match-condition.ts';
import type { Condition } from '../../views/views.ts';
import type { UsageViews } from '../views/usage-views.ts';
import { cellsOf, type SpentCell } from './cells.ts';

export interface CellsQuery {
  /** `2026-11-22T01`, UTC. */
  readonly hours: readonly string[];
  /** Further conditions on the rollup's dimensions. */
  readonly where: readonly Condition[];
  readonly documentsMax: number;
}

const documentsPerQuery = 200;

export type CellsFound =
  | { readonly is: 'cells'; readonly cells: readonly SpentCell[] }
  | { readonly is: 'tooMany'; readonly sessions: number };

/** `tooMany`: that many sessions have spend in these hours, more than `documentsMax`. */
export async function cellsInHours(
  { views, sessions, rollup = usage }: UsageViews,
  { hours, where: more, documentsMax }: CellsQuery,
): Promise<CellsFound> {
  const where: Condition[] = [...more, { column: 'hour', is: 'in', values: hours }];
  const spenders = await views.sum(sessions, rollup, { by: ['session'], where });
  if (spenders.length > documentsMax) return { is: 'tooMany', sessions: spenders.length };
  const cells: SpentCell[] = [];
  for (let from = 0; from < spenders.length; from += documentsPerQuery) {
    const ids = spenders
      .slice(from, from + documentsPerQuery)
      .map(({ dimensions }) => dimensions.session ?? '');
    for (const { body } of await views.find(sessions, documentsOf(ids)))
      for (const cell of cellsOf(sessions.decode(body)))
        if (fits(cell.dimensions, where)) cells.push(cell);
  }
  return { is: 'cells', cells };
}

function documentsOf(ids: readonly string[]) {
  return {
    where: [{ column: 'key', is: 'in' as const, values: ids }],
    orderBy: { column: 'key', descending: false },
    limit: ids.length,
  };
}
