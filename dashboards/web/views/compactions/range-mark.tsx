/** How full the window was before and after: two ticks on one scale for all rows. */
import type { Compaction } from '@pi-ledger/contract/answers';
import type { JSX } from 'preact';

const widthPx = 160;
const stepTokens = 10_000;

/** The right end of the scale: a round figure above all that was held. */
export function tokensMaxOf(rows: readonly Compaction[]): number {
  const most = rows.reduce((max, { tokensBefore }) => Math.max(max, tokensBefore ?? 0), 0);
  return Math.max(stepTokens, Math.ceil(most / stepTokens) * stepTokens);
}

export function RangeMark({ row, tokensMax }: { row: Compaction; tokensMax: number }): JSX.Element {
  const { tokensBefore, tokensAfterMeasured } = row;
  const x = (tokens: number) => Math.min(1, tokens / tokensMax) * (widthPx - 3);
  const before = tokensBefore === null ? null : x(tokensBefore);
  const after = tokensAfterMeasured === null ? null : x(tokensAfterMeasured);
  return (
    <svg class="range-mark" width={widthPx} height={12} aria-hidden="true">
      <path class="line" d={`M0 6H${widthPx}`} />
      {before !== null && after !== null && (
        <path class="room" d={`M${Math.min(before, after)} 6H${Math.max(before, after)}`} />
      )}
      {after !== null && <rect class="after" x={after} y={1} width={2.5} height={10} />}
      {before !== null && <rect class="before" x={before} y={1} width={2.5} height={10} />}
    </svg>
  );
}
