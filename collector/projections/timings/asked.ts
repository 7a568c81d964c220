/**
 * What one answer asked of tools. Its cost and tokens are shared equally among its calls, so that
 * the shares of all tools add up to the answers that called any. Pure.
 */

import type { EventData } from '@pi-ledger/contract';
import { allTokens } from '@pi-ledger/contract/spend-shape';
import { withOrchestration } from '@pi-ledger/core/record/orchestration';
import { readPrice } from '@pi-ledger/core/spend/price';
import type { Amount } from '../amount.ts';
import { compareText } from '../session/compare-text.ts';
import type { TimingLineName } from './cells.ts';

export interface AskedTool {
  readonly name: TimingLineName;
  /** In the order of the rollup's measures. */
  readonly amounts: readonly Amount[];
}

/** Models invent tool names: beyond as many in one answer, the alphabetically last count as one. */
const namesMax = 50;
const other = '(other)';
/** Sums stop here, where numbers cease to be exact: what senders may claim adds up to more. */
const countMax = Number.MAX_SAFE_INTEGER;

/** One for each tool that was called. */
export function askedTools({
  spend: said,
  toolCalls,
}: EventData<'pi.turn.completed.v1'>): readonly AskedTool[] {
  const calls = callsByName(toolCalls);
  const all = calls.reduce((sum, [, count]) => sum + count, 0);
  const spend = withOrchestration(said);
  const price = readPrice(spend);
  const tokens = allTokens(spend);
  let before = 0;
  return calls.map(([tool, count]) => {
    const splitShare = (amount: number): number =>
      Math.floor(amount * ((before + count) / all)) - Math.floor(amount * (before / all));
    const amounts = [
      count,
      spend.reported && price === null ? count : 0,
      spend.reported ? 0 : count,
      splitShare(price ?? 0),
      splitShare(tokens),
    ];
    before += count;
    return { name: [spend.provider ?? '', spend.model ?? '', tool], amounts };
  });
}

function callsByName(toolCalls: Readonly<Record<string, number>>): [string, number][] {
  const sorted = Object.entries(toolCalls)
    .filter(([, count]) => count > 0)
    .toSorted(([left], [right]) => compareText(left, right));
  const kept = sorted.slice(0, namesMax);
  const rest = sorted
    .slice(namesMax)
    .reduce((sum, [, count]) => Math.min(sum + count, countMax), 0);
  return rest === 0 ? kept : [...kept, [other, rest]];
}
