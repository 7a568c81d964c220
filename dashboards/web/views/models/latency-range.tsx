import type { JSX } from 'preact';
import type { LatencyScale, Timed } from './latency.ts';

/** A tick at the half, a bar to 95 of 100; the figures stand beside it. */
export function LatencyRange({ of, scale }: { of: Timed; scale: LatencyScale }): JSX.Element {
  const { durationP50: half, durationP95: most } = of;
  const from = half === null ? 0 : scale.x(half.ms);
  const to = most === null ? 0 : scale.x(most.ms);
  return (
    <svg class="latency" width={scale.width + 2} height={14} aria-hidden="true">
      <line class="axis" x1={0} x2={scale.width} y1={7.5} y2={7.5} />
      {half !== null && (
        <>
          <rect class="solid s5" x={from} y={5} width={Math.max(0, to - from)} height={5} />
          <rect class="half" x={from} y={2} width={2} height={11} />
        </>
      )}
    </svg>
  );
}
