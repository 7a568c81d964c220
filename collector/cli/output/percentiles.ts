/** Percentiles of durations, with the marks that say how they are known. */
import type { Percentile } from '@pi-ledger/contract/answers';
import type { Note } from './answer-parts.ts';
import { durationText } from './compaction-row.ts';

/** `~812 ms`, `~9.1 s`, `~31 s`, `≥ 6:49 min`, `n/a`. */
export function percentileText(percentile: Percentile | null): string {
  if (percentile === null) return 'n/a';
  const { ms, is } = percentile;
  return is === 'interpolated' ? `~${roundedText(ms)}` : `≥ ${roundedText(ms)}`;
}

/** Two or three figures, as a histogram says no more. */
function roundedText(ms: number): string {
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  return ms < 9_950 || ms >= 59_500 ? durationText(ms) : `${Math.round(ms / 1_000)} s`;
}

export const percentilesNote: Note = {
  mark: '~',
  text: 'percentiles are interpolated between the bounds of a histogram',
};
