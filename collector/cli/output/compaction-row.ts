/** How the terminal writes the figures of compactions. */

import { dollarText } from '@pi-ledger/contract/amounts';
import type { Compaction } from '@pi-ledger/contract/answers';
import { signed } from './format.ts';

export const kindNames = {
  compaction: 'compaction',
  branchSummary: 'branch summary',
  failure: 'failed',
} as const;

/** Four decimals, since summaries are cheap. Null is n/a, never $0. */
export function amountText(nanoUsd: string | null): string {
  return nanoUsd === null ? 'n/a' : dollarText(BigInt(nanoUsd), 4);
}

/** `+$1.0800`; at most so much if a cost in it is unknown; n/a if it is not known at all. */
export function netText({
  netNanoUsd,
  netIsUpperBound,
}: Pick<Compaction, 'netNanoUsd' | 'netIsUpperBound'>): string {
  if (netNanoUsd === null) return 'n/a';
  return `${netIsUpperBound === true ? '≤ ' : ''}${signed(BigInt(netNanoUsd), 4)}`;
}

/** `18.2 s`, `4:05 min`, `<0.1 s`. */
export function durationText(durationMs: number): string {
  if (durationMs < 50) return '<0.1 s';
  const seconds = durationMs / 1_000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')} min`;
}
