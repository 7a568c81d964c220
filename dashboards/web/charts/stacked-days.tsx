/**
 * Days (or weeks) as stacked bars, on one scale: metered above the line; below it, outlined and
 * pale, what a subscription covers, and under that, dotted, what nobody said how it is paid.
 * Without metered spend the next kind stands upright. One path per series and kind.
 */
import type { ComponentChildren, JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { visible } from '../parts/name.tsx';
import { ColumnAxis, ValueAxis } from './axis.tsx';
import type { BillingStyle } from './billing-look.ts';
import { Chart, type Plot } from './frame.tsx';
import { usePainted } from './painted.ts';
import { type StackedSeries, stackPaths, stackScale, usualPath } from './stack.ts';

export interface StackedDaysProps {
  readonly label: string;
  /** Each day's label below the axis; empty: none. */
  readonly columns: readonly string[];
  /** The first stands next to the line: the order of the table beside it, which is the legend. */
  readonly series: readonly StackedSeries[];
  /** What is usual on each day, above the line; null: not known. */
  readonly usual: readonly (number | null)[];
  /** Writes a value at the axis, such as `$10`. */
  format(value: number): string;
  /** What is above the line, and what below; below is said only where there is some. */
  readonly words: { readonly above: string; readonly below: string };
  /** How bars above the line look; each kind of money has a look of its own. Default: solid. */
  readonly look?: BillingStyle;
  /** The line above the chart; null: the cursor is nowhere. */
  readout(index: number | null): ComponentChildren;
  /** For screen readers: each day and its numbers. */
  readonly table: readonly (readonly [name: string, numbers: string])[];
  onOpen(index: number): void;
  /** Columns were dragged over, from the first to the last. */
  readonly onRange?: (from: number, to: number) => void;
  /** Where the cursor stands, where another chart shares it; null: nowhere. */
  readonly cursor?: number | null;
  readonly onCursor?: (index: number | null) => void;
  readonly height?: number;
}

const heightUsual = 300;

export function StackedDays(props: StackedDaysProps): JSX.Element {
  const { label, columns, height = heightUsual, table } = props;
  const isPainted = usePainted();
  return (
    <Chart
      {...cursorOf(props)}
      label={label}
      height={height}
      count={columns.length}
      readout={props.readout}
      table={isPainted ? table : []}
      onOpen={props.onOpen}
      {...(props.onRange === undefined ? {} : { onRange: props.onRange })}
    >
      {(plot) => isPainted && <Marks {...props} plot={plot} />}
    </Chart>
  );
}

/** Absent: the chart has its own. */
function cursorOf({ cursor, onCursor }: StackedDaysProps) {
  return cursor === undefined || onCursor === undefined ? {} : { cursor, onCursor };
}

function Marks({
  plot,
  series,
  usual,
  columns,
  format,
  words,
  look = 'solid',
}: StackedDaysProps & { plot: Plot }) {
  const { width, height, columnWidth } = plot;
  const drawn = useMemo(() => {
    const scale = stackScale(series, usual, height);
    const column = { width: columnWidth, x: (index: number) => index * columnWidth };
    return {
      scale,
      paths: stackPaths(series, scale, column),
      usual: usualPath(usual, scale, column),
    };
  }, [series, usual, height, columnWidth]);
  const { above, below, open } = drawn.paths;
  const isThere = (paths: readonly string[]) => paths.some((path) => path !== '');
  const isNothing = !isThere([...above, ...below, ...open, drawn.usual]);
  const wordsBelow = [
    ...(isThere(below) ? [words.below] : []),
    ...(isThere(open) ? ['dotted: billing unknown'] : []),
  ].join('; ');
  return (
    <g>
      {!isNothing && (
        <ValueAxis
          plot={plot}
          scale={drawn.scale}
          count={5}
          format={(value) => format(Math.abs(value))}
        />
      )}
      {series.map((each, index) => (
        <g key={each.name} class={each.class} data-name={visible(each.name)}>
          <path class={look} d={drawn.paths.above[index]} />
          <path class="pale" d={drawn.paths.below[index]} />
          <path class="dotted" d={drawn.paths.open[index]} />
        </g>
      ))}
      <path class="axis" d={`M0 ${Math.round(drawn.scale(0)) + 0.5}H${width}`} />
      <path class="usual" d={drawn.usual} />
      <text class="tick" x={0} y={-5}>
        {words.above}
      </text>
      {wordsBelow !== '' && (
        <text class="tick halo" x={width} y={height - 4} text-anchor="end">
          {wordsBelow}
        </text>
      )}
      <ColumnAxis plot={plot} count={columns.length} label={(index) => columns[index] ?? ''} />
    </g>
  );
}
