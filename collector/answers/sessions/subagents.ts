/** The subagents below a session, at every level, and what each spent itself. */

import { readBilling } from '@pi-ledger/contract/billings';
import type { SessionState } from '../../projections/session/document.ts';
import { sessions } from '../../projections/sessions.ts';
import { usage } from '../../projections/usage.ts';
import type { Condition, ViewDocument } from '../../views/views.ts';
import { addSum, type BillingSums } from '../spend/billing-sums.ts';
import type { UsageViews } from '../views/usage-views.ts';
import type { VisibleViews } from '../views/visible-views.ts';
import { wholeSessions } from './whole-sessions.ts';

export interface FoundSubagents {
  readonly subagents: readonly Subagent[];
  /** There are more than the limit. */
  readonly hasMore: boolean;
}

export interface Subagent {
  readonly state: SessionState;
  readonly parentSession: string;
  readonly spent: Spent;
}

export interface Spent {
  /** Only kinds of billing with a record that has a price. */
  readonly costs: BillingSums;
  unpriced: number;
  unreported: number;
}

export function nothingSpent(): Spent {
  return { costs: new Map(), unpriced: 0, unreported: 0 };
}

export const subagentsMax = 1_000;
export const levelsMax = 20;

/** Those that the caller may see in full; what is only below a hidden one is left out too. */
export async function findSubagents(
  visible: VisibleViews,
  session: string,
): Promise<FoundSubagents> {
  const found = new Map<string, Omit<Subagent, 'spent'>>();
  let hasMore = false;
  let level: readonly string[] = [session];
  for (let depth = 0; depth < levelsMax && level.length > 0; depth++) {
    const documents = await childrenOf(visible, level);
    const parents = new Map(documents.map(({ key, columns }) => [key, columns.parentSessionId]));
    const whole = await wholeSessions(visible, documents);
    const fresh = whole.map(({ state }) => state).filter(({ id }) => !found.has(id));
    const room = subagentsMax - found.size;
    hasMore ||= documents.length > subagentsMax || fresh.length > room;
    const kept = fresh.filter(({ id }) => id !== session).slice(0, room);
    for (const state of kept)
      found.set(state.id, { state, parentSession: String(parents.get(state.id) ?? '') });
    level = kept.map(({ id }) => id);
  }
  const spent = await spendOf(visible, [...found.keys()]);
  const subagents = [...found.values()].map((each) => ({
    ...each,
    spent: spent.get(each.state.id) ?? nothingSpent(),
  }));
  return { subagents, hasMore };
}

/** What is only begun from another session is no subagent of it. */
export const isSubagent: Condition = { column: 'agent', is: 'in', values: ['subagent'] };

export function childrenOf(
  { views }: Pick<UsageViews, 'views'>,
  parents: readonly string[],
  { bodies }: { readonly bodies: boolean } = { bodies: true },
): Promise<readonly ViewDocument[]> {
  const where: Condition[] = [{ column: 'parentSessionId', is: 'in', values: parents }, isSubagent];
  const orderBy = { column: 'key', descending: false };
  return views.find(sessions, { where, orderBy, limit: subagentsMax + 1, bodies });
}

/** What sessions spent, by their ids. */
export async function spendOf(
  { views }: VisibleViews,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Spent>> {
  const spent = new Map<string, Spent>();
  if (ids.length === 0) return spent;
  const where = [{ column: 'session', is: 'in' as const, values: ids }];
  const rows = await views.sum(sessions, usage, { by: ['session', 'billing'], where });
  for (const { dimensions, measures } of rows) {
    const id = dimensions.session ?? '';
    const sums = spent.get(id) ?? nothingSpent();
    spent.set(id, sums);
    const { records = 0n, nanoUsd = 0n, unpricedRecords = 0n, unreportedRecords = 0n } = measures;
    sums.unpriced += Number(unpricedRecords);
    sums.unreported += Number(unreportedRecords);
    if (nanoUsd !== 0n || records > unpricedRecords + unreportedRecords)
      addSum(sums.costs, readBilling(dimensions.billing ?? ''), nanoUsd);
  }
  return spent;
}
