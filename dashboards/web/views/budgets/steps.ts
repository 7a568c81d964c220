/** How the period of a budget is cut, and what it came to by the end of each step. Pure. */

import type { Budget, UsageRow } from '@pi-ledger/contract/answers';
import { billionths } from '../../../../contract/amounts.ts';
import { hourMs } from '../../../../core/time/units.ts';

import { nanoUsdOf, tokensOf } from '../../format/spend.ts';
import { addDays, monthStart } from '../../state/period.ts';
import { clockIn } from '../../state/today.ts';

export interface Steps {
  readonly by: 'day' | 'hour';
  /** Days to ask for: from the first of the period before to the last of this one. */
  readonly since: string;
  readonly until: string;
  /** Days, or the instants at which hours begin. */
  readonly now: readonly string[];
  readonly before: readonly string[];
}

/**
 * Returns null for windows of subscriptions, which have none, and for a budget whose period is not
 * known.
 */
export function stepsOf({ per, period, timeZone }: Budget): Steps | null {
  if (period === null || per.endsWith('window')) return null;
  const [startMs, endMs] = [Date.parse(period.start), Date.parse(period.end)];
  const [first, last] = [clockIn(startMs, timeZone).day, clockIn(endMs - 1, timeZone).day];
  const yesterday = addDays(first, -1);
  if (per === 'day') {
    const hours = { now: hoursOf(startMs, endMs), before: hoursOf(startMs - 24 * hourMs, startMs) };
    return { by: 'hour', since: yesterday, until: last, ...hours };
  }
  const now = daysFrom(first, last);
  const since = per === 'month' ? monthStart(yesterday) : addDays(first, -now.length);
  return { by: 'day', since, until: last, now, before: daysFrom(since, yesterday) };
}

function hoursOf(startMs: number, endMs: number): readonly string[] {
  const first = Math.floor(startMs / hourMs) * hourMs;
  return Array.from({ length: Math.ceil((endMs - first) / hourMs) }, (_, hour) =>
    new Date(first + hour * hourMs).toISOString(),
  );
}

function daysFrom(first: string, last: string): readonly string[] {
  const days: string[] = [];
  for (let day = first; day <= last; day = addDays(day, 1)) days.push(day);
  return days;
}

/** What the steps came to, in billionths of the unit, each with all before it. */
export function sumsOf(
  steps: readonly string[],
  rows: readonly UsageRow[],
  unit: Budget['unit'],
): readonly bigint[] {
  const amounts = new Map(rows.map((row) => [stepOf(row), amountIn(row, unit)]));
  let sum = 0n;
  return steps.map((step) => {
    sum += amounts.get(step) ?? 0n;
    return sum;
  });
}

function stepOf({ day, hour }: UsageRow): string {
  return typeof hour === 'string' ? new Date(Date.parse(hour)).toISOString() : (day ?? '');
}

function amountIn(row: UsageRow, unit: Budget['unit']): bigint {
  if (unit === 'tokens') return tokensOf(row) * 1_000_000_000n;
  return nanoUsdOf(row, unit === 'metered dollars' ? 'metered' : 'subscription');
}

/** How many steps are over, with the part of the one that is not. */
export function stepsOver(
  steps: number,
  { start, end }: { start: string; end: string },
  nowMs: number,
) {
  const [startMs, endMs] = [Date.parse(start), Date.parse(end)];
  return steps * Math.min(1, Math.max(0, (nowMs - startMs) / (endMs - startMs)));
}

interface Point {
  /** In steps. */
  readonly x: number;
  /** In the unit. */
  readonly y: number;
}

/** The line so far: the end of each step that is over, then now. `used`: as the budget says it. */
export function lineOf(sums: readonly bigint[], over: number, used: string): readonly Point[] {
  const whole = sums.slice(0, Math.floor(over));
  return [
    { x: 0, y: 0 },
    ...whole.map((sum, index) => ({ x: index + 1, y: unitsOf(sum) })),
    { x: over, y: unitsOf(billionths(used)) },
  ];
}

/** The period before, over as many steps as this one has. */
export function lineBefore(sums: readonly bigint[], steps: number): readonly Point[] {
  const points = sums.slice(0, steps).map((sum, index) => ({ x: index + 1, y: unitsOf(sum) }));
  return [{ x: 0, y: 0 }, ...points];
}

function unitsOf(billionths: bigint): number {
  return Number(billionths) / 1e9;
}
