/**
 * The frame of a chart: its width, its axes' room, one cursor, and its numbers as a table for those
 * who do not see it.
 *
 * The cursor stands on one of `count` columns, which share the width; it is moved by the pointer or
 * by the arrow keys, the line above the chart says what is there, and Enter or a click opens it.
 */
import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { columnAfter } from './cursor-keys.ts';
import { useWidth } from './width.ts';

/** The room that marks are drawn in, in px from its own corner. */
export interface Plot {
  readonly width: number;
  readonly height: number;
  /** The left edge of a column, and how wide one is. */
  columnX(index: number): number;
  readonly columnWidth: number;
}

export interface ChartProps {
  /** What it shows, in a few words. */
  readonly label: string;
  /** The marks have this height, in px. */
  readonly height: number;
  /** Columns that the cursor can stand on; 0: there is no cursor. */
  readonly count: number;
  readonly margin?: Partial<Margin>;
  /** Which column the cursor stands on, where something else decides; null: nowhere. */
  readonly cursor?: number | null;
  /** `index` is null once the cursor has left. */
  readonly onCursor?: (index: number | null) => void;
  readonly onOpen?: (index: number) => void;
  /** Columns were dragged over, from the first to the last. */
  readonly onRange?: (from: number, to: number) => void;
  /** The line above; null: the cursor is nowhere. */
  readout?(index: number | null): ComponentChildren;
  /** For screen readers: each column's name and its numbers in words. */
  readonly table?: readonly (readonly [name: string, numbers: string])[];
  children(plot: Plot): ComponentChildren;
}

interface Margin {
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly left: number;
}

const marginUsual: Margin = { top: 16, right: 0, bottom: 24, left: 48 };

export function Chart(props: ChartProps): JSX.Element {
  const { label, height, count, readout, table = [] } = props;
  const margin = { ...marginUsual, ...props.margin };
  const { ref, width } = useWidth<HTMLElement>();
  const [own, setOwn] = useState<number | null>(null);
  const cursor = props.cursor === undefined ? own : props.cursor;
  const [anchor, setAnchor] = useState<number | null>(null);
  const marked = anchor === null || cursor === null ? cursor : Math.min(anchor, cursor);
  const markedColumns = anchor === null || cursor === null ? 1 : Math.abs(anchor - cursor) + 1;
  const plot = plotOf(width - margin.left - margin.right, height, count);
  const svg = (
    <svg width={width} height={height + margin.top + margin.bottom} aria-hidden="true">
      {width > 0 && (
        <g transform={`translate(${margin.left} ${margin.top})`}>
          {marked !== null && marked < count && (
            <rect
              class="cursor"
              x={plot.columnX(marked)}
              y={0}
              width={plot.columnWidth * markedColumns}
              height={height}
            />
          )}
          {props.children(plot)}
        </g>
      )}
    </svg>
  );
  return (
    <figure class="chart" ref={ref} aria-label={label}>
      {readout !== undefined && <div class="readout">{readout(cursor)}</div>}
      {count === 0 ? (
        svg
      ) : (
        <Cursor
          {...{ label, count, cursor, plot, left: margin.left, words: table[cursor ?? -1] }}
          move={(index) => {
            setOwn(index);
            props.onCursor?.(index);
          }}
          open={() => cursor !== null && props.onOpen?.(cursor)}
          begin={(from) => setAnchor(props.onRange === undefined ? null : from)}
          end={() => {
            setAnchor(null);
            if (anchor === null || cursor === null || anchor === cursor) return false;
            props.onRange?.(Math.min(anchor, cursor), Math.max(anchor, cursor));
            return true;
          }}
        >
          {svg}
        </Cursor>
      )}
      {table.length > 0 && <Numbers label={label} rows={table} />}
    </figure>
  );
}

interface CursorProps {
  readonly label: string;
  readonly count: number;
  readonly cursor: number | null;
  readonly plot: Plot;
  /** The plot begins here, in px. */
  readonly left: number;
  /** What stands at the cursor. */
  readonly words: readonly [name: string, numbers: string] | undefined;
  move(index: number | null): void;
  open(): void;
  /** A drag may begin; null: it is given up. */
  begin(from: number | null): void;
  /** False: nothing was dragged over. */
  end(): boolean;
  readonly children: ComponentChildren;
}

/** To assistive technology a slider over the columns. */
function Cursor({ label, count, cursor, plot, left, words, ...props }: CursorProps): JSX.Element {
  const { move, open, begin, end } = props;
  const columnAt = ({ clientX, currentTarget }: { clientX: number; currentTarget: Element }) => {
    const x = clientX - currentTarget.getBoundingClientRect().left - left;
    const index = Math.floor(x / plot.columnWidth);
    return index >= 0 && index < count ? index : null;
  };
  return (
    <div
      class="cursor-area"
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={count - 1}
      aria-valuenow={cursor ?? 0}
      aria-valuetext={words?.join(': ') ?? 'nothing chosen'}
      onPointerMove={(event) => move(columnAt(event))}
      onPointerDown={(event) => {
        if (event.button === 0 && event.pointerType === 'mouse') begin(columnAt(event));
      }}
      onPointerLeave={() => {
        move(null);
        begin(null);
      }}
      onClick={() => end() || open()}
      onKeyDown={(event) => {
        if (event.key === 'Enter') open();
        const next = columnAfter(event.key, cursor, count);
        if (next === undefined) return;
        event.preventDefault();
        move(next);
      }}
    >
      {props.children}
    </div>
  );
}

function Numbers({ label, rows }: { label: string; rows: ChartProps['table'] }): JSX.Element {
  return (
    <div class="unseen">
      <table>
        <caption>{label}</caption>
        <tbody>
          {rows?.map(([name, numbers]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{numbers}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function plotOf(width: number, height: number, count: number): Plot {
  const columnWidth = count === 0 ? 0 : Math.max(0, width) / count;
  return {
    width: Math.max(0, width),
    height,
    columnWidth,
    columnX: (index) => index * columnWidth,
  };
}
