import type { JSX } from 'preact';
import type { SeriesClass } from '../charts/colours.ts';

const widthPx = 96;

/** How much of `most` an amount is, as a bar in a cell; the amount stands beside it. */
export function Bar(props: { part: number; most: number; series?: SeriesClass }): JSX.Element {
  const { part, most, series = 's1' } = props;
  const width = most > 0 ? Math.max(0, (widthPx * part) / most) : 0;
  return (
    <svg width={widthPx} height={10} aria-hidden="true">
      <rect class={`solid ${series}`} width={width} height={10} />
    </svg>
  );
}
