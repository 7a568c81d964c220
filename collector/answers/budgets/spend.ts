/**
 * What budgets count, from the rollup `usage`: one question for all budgets with the same days, and
 * one from `verified_usage` for those that count verified senders only.
 *
 * Metered and list-price dollars are sums of different records, never of both. Records whose amount
 * or billing is not known are counted beside.
 */

import type { TimeZone } from '@pi-ledger/core/time/time-zone';
import { labelsIn } from '../../projections/session/notes/label-text.ts';
import { verifiedUsage } from '../../projections/verified.ts';
import type { Condition, SumRow } from '../../views/views.ts';
import { sumInZone } from '../spend/zoned.ts';
import type { UsageViews } from '../views/usage-views.ts';
import type { NamedBudget } from './definition.ts';
import { addDays } from './periods.ts';

export interface SpendViews extends UsageViews {
  /** With the same rules as `sessions`. */
  readonly verified: UsageViews['sessions'];
}

export interface Spend {
  /** All that it is of, without an amount or with one. */
  readonly records: bigint;
  /** Nano-dollars or tokens. */
  readonly used: bigint;
  readonly unpricedRecords: bigint;
  readonly unreportedRecords: bigint;
  readonly unknownBillingRecords: bigint;
}

export interface Days {
  readonly zone: TimeZone;
  /** Local days of the zone, both included. */
  readonly firstDay: string;
  readonly lastDay: string;
}

/** Rows that are fine enough for each of these budgets; `byDay`: and for each day. */
export function readSpendRows(
  asked: UsageViews,
  budgets: readonly NamedBudget[],
  { zone, firstDay, lastDay }: Days,
  byDay = false,
): Promise<readonly SumRow[]> {
  const scoped = columns.filter(({ name }) =>
    budgets.some(({ definition }) => definition[name] !== null),
  );
  return sumInZone(asked, {
    dimensions: ['billing', ...scoped.map(({ column }) => column), ...(byDay ? ['day'] : [])],
    zone,
    filters: nearDays(firstDay, lastDay),
    period: { since: firstDay, until: lastDay },
  });
}

/** Counts only what arrived with a token. Resolves to null until the view is folded. */
export async function readVerifiedRows(
  { views, verified }: SpendViews,
  ...asked: Asked
): Promise<readonly SumRow[] | null> {
  if ((await views.live(verified)) === null) return null;
  return readSpendRows({ views, sessions: verified, rollup: verifiedUsage }, ...asked);
}

type Asked = [budgets: readonly NamedBudget[], days: Days, byDay?: boolean];

/** The index is by the spenders' own days, which are at most one away from the zone's. */
function nearDays(firstDay: string, lastDay: string): Condition[] {
  return [
    { column: 'day', is: 'from', values: [addDays(firstDay, -2)] },
    { column: 'day', is: 'before', values: [addDays(lastDay, 3)] },
  ];
}

export function spendOf({ definition }: NamedBudget, rows: readonly SumRow[]): Spend {
  return rows
    .filter(({ dimensions }) => isIn(definition, dimensions))
    .reduce((sum, row) => {
      const one = countedIn(definition.unit, row);
      return {
        records: sum.records + one.records,
        used: sum.used + one.used,
        unpricedRecords: sum.unpricedRecords + one.unpricedRecords,
        unreportedRecords: sum.unreportedRecords + one.unreportedRecords,
        unknownBillingRecords: sum.unknownBillingRecords + one.unknownBillingRecords,
      };
    }, nothing);
}

/** Something is left out of the sum. */
export function isPartOnly(spend: Spend): boolean {
  return spend.unpricedRecords + spend.unreportedRecords + spend.unknownBillingRecords > 0n;
}

type Definition = NamedBudget['definition'];

const columns = [
  { name: 'project', column: 'project' },
  { name: 'user', column: 'user' },
  { name: 'model', column: 'model' },
  { name: 'provider', column: 'provider' },
  { name: 'label', column: 'labels' },
] as const;

function isIn(definition: Definition, dimensions: SumRow['dimensions']): boolean {
  return columns.every(({ name, column }) => {
    const wanted = definition[name];
    if (wanted === null) return true;
    const found = dimensions[column] ?? '';
    return name === 'label' ? hasLabel(found, wanted) : found === wanted;
  });
}

function hasLabel(text: string, wanted: string): boolean {
  const at = wanted.indexOf('=');
  return labelsIn(text).get(wanted.slice(0, at)) === wanted.slice(at + 1);
}

const nothing: Spend = {
  records: 0n,
  used: 0n,
  unpricedRecords: 0n,
  unreportedRecords: 0n,
  unknownBillingRecords: 0n,
};

function countedIn(unit: Definition['unit'], { dimensions, measures }: SumRow): Spend {
  const of = (name: string): bigint => measures[name] ?? 0n;
  const records = of('records');
  const billing = dimensions.billing ?? '';
  if (unit === 'tokens')
    return {
      ...nothing,
      records,
      used: of('inputTokens') + of('outputTokens') + of('cacheReadTokens') + of('cacheWriteTokens'),
      unreportedRecords: of('unreportedRecords'),
    };
  const isKnown = billing === 'metered' || billing === 'subscription';
  if (!isKnown) return { ...nothing, records, unknownBillingRecords: records };
  if (billing !== (unit === 'metered dollars' ? 'metered' : 'subscription')) return nothing;
  return {
    records,
    used: of('nanoUsd'),
    unpricedRecords: of('unpricedRecords'),
    unreportedRecords: of('unreportedRecords'),
    unknownBillingRecords: 0n,
  };
}
