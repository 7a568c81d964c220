/**
 * Budgets of quota windows: of the windows of that length that are known, the fullest counts.
 *
 * A window is its own period. One without an end (`rolling`) has notices once a day: its period is
 * the day in the budget's time zone.
 */

import type { BudgetPeriod } from '@pi-ledger/contract';
import type { QuotaWindow } from '@pi-ledger/contract/answers';
import { minuteMs } from '@pi-ledger/core/time/units';
import { windowName } from '../quota/limits.ts';
import { type NamedBudget, windowMsOfPer } from './definition.ts';
import { type Measured, noCounts } from './measure.ts';
import { periodAt, periodText, zoneOf } from './periods.ts';
import { stateOf } from './state.ts';

export interface MeasuredWindow extends Measured {
  readonly window: QuotaWindow | null;
}

export function measureWindow(
  budget: NamedBudget,
  rows: readonly QuotaWindow[],
  nowMs: number,
): MeasuredWindow {
  const window = fullest(budget, rows);
  if (window === null)
    return {
      budget,
      window,
      period: null,
      used: null,
      state: null,
      isAtLeast: false,
      counts: noCounts,
      unverified: null,
    };
  const used = percentOf(window.usedShare ?? 0);
  return {
    budget,
    window,
    period: periodOf(budget, window, nowMs),
    used,
    state: stateOf(budget.definition, used),
    isAtLeast: window.isAtLeast,
    counts: {
      unpricedRecords: BigInt(window.unpricedRecords),
      unreportedRecords: BigInt(window.unreportedRecords),
      unknownBillingRecords: BigInt(window.unknownBillingRecords),
    },
    unverified: null,
  };
}

function fullest({ definition }: NamedBudget, rows: readonly QuotaWindow[]): QuotaWindow | null {
  const { user, provider, per } = definition;
  const windowMs = windowMsOfPer[per] ?? 0;
  return rows
    .filter(
      (row) =>
        row.usedShare !== null &&
        row.windowMs === windowMs &&
        // A window of one model only is another one: `week, opus`.
        (row.source === 'limit' || row.name === windowName(windowMs)) &&
        (user === null || row.user === user) &&
        (provider === null || row.provider === provider),
    )
    .reduce<QuotaWindow | null>(
      (most, row) => (most === null || (row.usedShare ?? 0) > (most.usedShare ?? 0) ? row : most),
      null,
    );
}

/** Percent, in 10^-9. */
function percentOf(share: number): bigint {
  return BigInt(Math.round(share * 1e11));
}

/** To the minute: providers tell the same end with some seconds more or less. */
function periodOf(
  { definition }: NamedBudget,
  { endsAt, windowMs }: QuotaWindow,
  nowMs: number,
): BudgetPeriod {
  if (endsAt === null)
    return periodText(periodAt({ per: 'day' }, zoneOf(definition.timeZone), nowMs));
  const endMs = Math.round(Date.parse(endsAt) / minuteMs) * minuteMs;
  const iso = (ms: number) => new Date(ms).toISOString();
  return { start: iso(endMs - (windowMs ?? 0)), end: iso(endMs) };
}
