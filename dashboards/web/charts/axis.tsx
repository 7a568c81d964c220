/** Axes: lines and labels at round values. */
import type { JSX } from 'preact';
import type { Plot } from './frame.tsx';
import type { Scale } from './scale.ts';

export interface ValueAxisProps {
  readonly plot: Plot;
  readonly scale: Scale;
  format(value: number): string;
  /** At most about as many ticks. */
  readonly count?: number;
}

/** Values at the left, a line each; that of zero is the axis. No label stands twice on a side. */
export function ValueAxis({ plot, scale, format, count = 4 }: ValueAxisProps): JSX.Element {
  const said = new Set<string>();
  const ticks = scale.ticks(count).filter((value) => {
    const text = `${Math.sign(value)} ${format(value)}`;
    return !said.has(text) && said.add(text);
  });
  return (
    <g>
      {ticks.map((value) => {
        const y = Math.round(scale(value)) + 0.5;
        return (
          <g key={value}>
            <line class={value === 0 ? 'axis' : 'grid-line'} x1={0} x2={plot.width} y1={y} y2={y} />
            <text class="tick" x={-8} y={y} dy="0.32em" text-anchor="end">
              {format(value)}
            </text>
          </g>
        );
      })}
    </g>
  );
}

export interface ColumnAxisProps {
  readonly plot: Plot;
  readonly count: number;
  /** Empty: this one has no label. */
  label(index: number): string;
}

const labelPx = 72;

/** Labels below columns, as many as fit, never rotated. */
export function ColumnAxis({ plot, count, label }: ColumnAxisProps): JSX.Element {
  const labels = Array.from({ length: count }, (_, index) => ({ index, text: label(index) }));
  const shown: { index: number; text: string }[] = [];
  for (const each of labels) {
    const last = shown.at(-1);
    const isFar =
      last === undefined || plot.columnX(each.index) - plot.columnX(last.index) >= labelPx;
    if (each.text !== '' && isFar) shown.push(each);
  }
  return (
    <g>
      {shown.map(({ index, text }) => (
        <text
          key={index}
          class="tick"
          x={plot.columnX(index) + plot.columnWidth / 2}
          y={plot.height + 16}
          text-anchor="middle"
        >
          {text}
        </text>
      ))}
    </g>
  );
}
