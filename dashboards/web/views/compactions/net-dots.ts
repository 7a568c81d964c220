/** The nets of single compactions as dots over time, in px: of one kind of billing at a time. */
import type { Compaction } from '@pi-ledger/contract/answers';
import type { Billing } from '@pi-ledger/contract/billings';
import { extent } from 'd3-array';
import { billings } from '../../../../contract/answers/billings.ts';
import { linearScale } from '../../charts/scale.ts';
import { usdOf } from '../../format/money.ts';
import { addDays } from '../../state/period.ts';
import { netOf } from './amounts.ts';

/** `atMost`: a cost in it is not known. One that is below zero even so did not pay. */
type Verdict = 'paid' | 'lost' | 'atMost';

export interface NetDot {
  /** The day that the API counts it in. */
  readonly day: string;
  readonly timeMs: number;
  readonly usd: number;
  readonly verdict: Verdict;
  readonly billing: Billing;
}

/** Those whose net is known. */
export function dotsOf(rows: readonly Compaction[]): readonly NetDot[] {
  return rows.flatMap((row) => {
    const { nanoUsd, mark } = netOf(row);
    if (nanoUsd === null) return [];
    return {
      day: row.day,
      timeMs: Date.parse(row.time),
      usd: usdOf(nanoUsd),
      verdict: nanoUsd < 0n ? 'lost' : mark === 'atMost' ? 'atMost' : 'paid',
      billing: row.billing ?? 'unknown',
    };
  });
}

/** The kind of billing that has the most dots: what the chart shows unless another is chosen. */
export function billingOfMost(dots: readonly NetDot[]): Billing {
  const count = (billing: Billing) => dots.filter((dot) => dot.billing === billing).length;
  return billings.reduce((most, each) => (count(each) > count(most) ? each : most));
}

/** Zero is always on it. `dots`: of one kind of billing, as the scale is of dollars. */
export function netScale(dots: readonly NetDot[], height: number) {
  const [least = 0, most = 0] = extent(dots, ({ usd }) => usd);
  const top = Math.max(0, most);
  const bottom = Math.min(0, least);
  return linearScale(top === bottom ? [0, 1] : [bottom, top], [height, 0], 4);
}

/**
 * How much of its day had passed on the reader's clock, 0 to 1: a day may have 23 or 25 hours.
 * Where it was another day for the reader, it stands at that edge of its own.
 */
export function shareOfDay({ day, timeMs }: Pick<NetDot, 'day' | 'timeMs'>): number {
  const sinceMs = Date.parse(`${day}T00:00:00`);
  const untilMs = Date.parse(`${addDays(day, 1)}T00:00:00`);
  return Math.min(1, Math.max(0, (timeMs - sinceMs) / (untilMs - sinceMs)));
}

/** `3 paid, 1 did not, 2 at most`; `dots`: of one kind of billing. */
export function verdictWords(dots: readonly NetDot[]): string {
  const count = (verdict: Verdict) => dots.filter((dot) => dot.verdict === verdict).length;
  const said = [
    [count('paid'), 'paid'],
    [count('lost'), 'did not'],
    [count('atMost'), 'at most'],
  ].filter(([some]) => some !== 0);
  return said.map((each) => each.join(' ')).join(', ');
}
