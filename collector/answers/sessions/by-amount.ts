/** Lists the costliest sessions first, by what they cost in one kind of billing. */
import type { Session } from '@pi-ledger/contract/answers';
import { LedgerError } from '../../errors.ts';
import { fromSortable, orderColumns, toSortable } from '../../projections/session/columns.ts';
import type { SessionState } from '../../projections/session/document.ts';
import { usage } from '../../projections/usage.ts';
import { inTurns } from '../../timers/in-turns.ts';
import type { UsageViews } from '../views/usage-views.ts';
import type { VisibleViews } from '../views/visible-views.ts';
import { toSessionRows } from './rows.ts';
import { findSessions, type SessionFilters } from './search.ts';

/** A position in the list, which is sorted by these. */
export interface AmountPosition {
  readonly amount: bigint;
  readonly id: string;
}

export interface AmountPage {
  readonly rows: readonly Session[];
  /** Each row has one, in the same order. */
  readonly positions: readonly AmountPosition[];
  /** It is null at the end of the list. */
  readonly next: AmountPosition | null;
}

export interface AmountSearch {
  readonly billing: 'metered' | 'subscription' | 'unknown';
  readonly after: AmountPosition | null;
  readonly limit: number;
}

const idsPerQuery = 500;
const bodiesPerQuery = 200;

/**
 * Amounts are of whole sessions, as in their rows. Throws `bad_parameter` where too many match for
 * a caller with a limit.
 */
export async function listByAmount(
  visible: VisibleViews,
  filters: SessionFilters,
  search: AmountSearch,
): Promise<AmountPage> {
  const { ids, amounts, next } =
    visible.where.length === 0
      ? await costliest(visible, filters, search)
      : await costliestVisible(visible, filters, search);
  const rows = await toSessionRows(visible, await readStates(visible, ids));
  return {
    rows,
    positions: rows.map(({ id }) => ({ id, amount: amounts.get(id) ?? 0n })),
    next,
  };
}

interface Dearest extends Pick<AmountPage, 'next'> {
  readonly ids: readonly string[];
  readonly amounts: ReadonlyMap<string, bigint>;
}

/** In the order of a column of their documents. */
async function costliest(
  asked: UsageViews,
  filters: SessionFilters,
  { billing, after, limit }: AmountSearch,
): Promise<Dearest> {
  const column = orderColumns[billing];
  const { documents, resumeAt } = await findSessions(asked, filters, {
    orderBy: { column, descending: false },
    after: after === null ? null : { value: toSortable(after.amount), id: after.id },
    wanted: limit + 1,
    bodies: false,
  });
  const found = documents.map(({ key, columns }) => ({
    id: key,
    amount: fromSortable(String(columns[column])),
  }));
  const page = found.slice(0, limit);
  const resume =
    resumeAt === null ? null : { id: resumeAt.id, amount: fromSortable(resumeAt.value) };
  return {
    ids: page.map(({ id }) => id),
    amounts: new Map(page.map(({ id, amount }) => [id, amount])),
    next: found.length > limit ? (page.at(-1) ?? null) : resume,
  };
}

/** What a caller with a limit sees of a session is in no column: all that match are added up. */
async function costliestVisible(
  asked: UsageViews,
  filters: SessionFilters,
  { billing, after, limit }: AmountSearch,
): Promise<Dearest> {
  const all = { after: null, wanted: 'all', bodies: false } as const;
  const { documents, resumeAt } = await findSessions(asked, filters, all);
  if (resumeAt !== null) throw tooMany(documents.length);
  const keys = documents.map(({ key }) => key);
  const amounts = await amountsOf(asked, keys, billing);
  const positions = keys
    .map((id) => ({ id, amount: amounts.get(id) ?? 0n }))
    .filter((position) => after === null || compare(position, after) > 0)
    .toSorted(compare);
  const page = positions.slice(0, limit);
  return {
    ids: page.map(({ id }) => id),
    amounts,
    next: positions.length > limit ? (page.at(-1) ?? null) : null,
  };
}

async function amountsOf(
  { views, sessions }: UsageViews,
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
async function readStates({ views, sessions }: UsageViews, ids: readonly string[]) {
  const states = new Map<string, SessionState>();
  for (let from = 0; from < ids.length; from += bodiesPerQuery) {
    const values = ids.slice(from, from + bodiesPerQuery);
    const found = await views.find(sessions, {
      where: [{ column: 'key', is: 'in', values }],
      orderBy: { column: 'key', descending: false },
      limit: values.length,
    });
    await inTurns(found, ({ key, body }) => states.set(key, sessions.decode(body)));
  }
  return ids.flatMap((id) => states.get(id) ?? []);
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
