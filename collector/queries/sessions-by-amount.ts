/** Lists the dearest sessions first, by what they cost in one kind of billing. */
import type { Session } from '@pi-ledger/contract/answers';
import { LedgerError } from '../errors.ts';
import { sessions } from '../projections/sessions.ts';
import { usage } from '../projections/usage.ts';
import type { ViewsReader } from '../views/views.ts';
import { toSessionRows } from './session-rows.ts';
import { findSessions, type SessionFilters } from './session-search.ts';

/** A position in the list, which is sorted by these. */
export interface AmountPosition {
  readonly amount: bigint;
  readonly id: string;
}

export interface AmountPage {
  readonly rows: readonly Session[];
  /** Of the rows. */
  readonly positions: readonly AmountPosition[];
  /** Null at the end of the list. */
  readonly next: AmountPosition | null;
}

export interface AmountSearch {
  readonly billing: 'metered' | 'subscription' | 'unknown';
  readonly after: AmountPosition | null;
  readonly limit: number;
}

const idsPerQuery = 500;

/**
 * `views`: as the caller may see them. Amounts are of whole sessions, as in their rows. Throws
 * `bad_parameter` where too many match.
 */
export async function listByAmount(
  views: ViewsReader,
  filters: SessionFilters,
  { billing, after, limit }: AmountSearch,
): Promise<AmountPage> {
  const all = { after: null, wanted: 'all', bodies: false } as const;
  const { documents, resumeAt } = await findSessions(views, filters, all);
  if (resumeAt !== null) throw tooMany(documents.length);
  const amounts = await amountsOf(
    views,
    documents.map(({ key }) => key),
    billing,
  );
  const positions = documents
    .map(({ key }) => ({ id: key, amount: amounts.get(key) ?? 0n }))
    .filter((position) => after === null || compare(position, after) > 0)
    .toSorted(compare);
  const page = positions.slice(0, limit);
  const rows = await toSessionRows(views, await readStates(views, page));
  return {
    rows,
    positions: rows.map(({ id }) => ({ id, amount: amounts.get(id) ?? 0n })),
    next: positions.length > limit ? (page.at(-1) ?? null) : null,
  };
}

async function amountsOf(
  views: ViewsReader,
  ids: readonly string[],
  billing: string,
): Promise<ReadonlyMap<string, bigint>> {
  const amounts = new Map<string, bigint>();
  for (let from = 0; from < ids.length; from += idsPerQuery) {
    const where = [
      { column: 'session', is: 'in' as const, values: ids.slice(from, from + idsPerQuery) },
      { column: 'billing', is: 'in' as const, values: [billing] },
    ];
    for (const { dimensions, measures } of await views.sum(sessions, usage, {
      by: ['session'],
      where,
    }))
      amounts.set(dimensions.session ?? '', measures.nanoUsd ?? 0n);
  }
  return amounts;
}

/** In the order of the positions. One that is gone meanwhile is left out. */
async function readStates(views: ViewsReader, page: readonly AmountPosition[]) {
  const ids = page.map(({ id }) => id);
  const found = await views.find(sessions, {
    where: [{ column: 'key', is: 'in', values: ids }],
    orderBy: { column: 'key', descending: false },
    limit: Math.max(1, ids.length),
  });
  const bodies = new Map(found.map(({ key, body }) => [key, body]));
  return ids.flatMap((id) => {
    const body = bodies.get(id);
    return body === undefined ? [] : [sessions.decode(body)];
  });
}

function compare(left: AmountPosition, right: AmountPosition): number {
  if (left.amount !== right.amount) return left.amount > right.amount ? -1 : 1;
  return left.id < right.id ? -1 : left.id > right.id ? 1 : 0;
}

function tooMany(count: number): LedgerError {
  return new LedgerError('bad_parameter', {
    field: 'sort',
    message: `sort: more than ${count} sessions match; choose a shorter period or a project.`,
  });
}
