/** The nets of single compactions as dots over time, in px: of one kind of billing at a time. */
import type { Compaction } from '@pi-ledger/contract/answers';
import { extent } from 'd3-array';
import { scaleLinear } from 'd3-scale';
import { usdOf } from '../../format/money.ts';
import type { Billing } from '../../format/spend.ts';
import { netOf } from './amounts.ts';

/** `atMost`: a cost in it is not known. One that is below zero even so did not pay. */
type Verdict = 'paid' | 'lost' | 'atMost';

export interface NetDot {
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
      timeMs: Date.parse(row.time),
      usd: usdOf(nanoUsd),
      verdict: nanoUsd < 0n ? 'lost' : mark === 'atMost' ? 'atMost' : 'paid',
      billing: row.billing ?? 'unknown',
    };
  });
}

export const billings = ['metered', 'subscription', 'unknown'] as const;

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
  return scaleLinear()
    .domain(top === bottom ? [0, 1] : [bottom, top])
    .nice(4)
    .range([height, 0]);
}

/** Which column of equal width holds the moment; what is outside goes to the nearest. */
export function columnAt(timeMs: number, sinceMs: number, untilMs: number, columns: number) {
  const share = (timeMs - sinceMs) / (untilMs - sinceMs);
  return Math.min(columns - 1, Math.max(0, Math.floor(share * columns)));
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
