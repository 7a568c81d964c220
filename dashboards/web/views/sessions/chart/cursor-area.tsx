import type { ComponentChildren, JSX } from 'preact';
import { columnAfter } from '../../../charts/cursor-keys.ts';
import type { TimeScale } from './time-scale.ts';

export interface CursorAreaProps {
  readonly cursor: number | null;
  readonly count: number;
  readonly words: readonly [name: string, numbers: string] | null;
  /** Where the marks begin, in px. */
  readonly left: number;
  readonly scale: TimeScale;
  /** `index` is null once the cursor has left. */
  move(index: number | null): void;
  select(index: number): void;
  readonly children: ComponentChildren;
}

/** One cursor over several charts; to assistive technology a slider over the columns. */
export function CursorArea(props: CursorAreaProps): JSX.Element {
  const { cursor, count, words, left, scale, move, select } = props;
  return (
    <div
      class="cursor-area"
      role="slider"
      tabIndex={0}
      aria-label="Turns"
      aria-valuemin={0}
      aria-valuemax={Math.max(0, count - 1)}
      aria-valuenow={cursor ?? 0}
      aria-valuetext={words?.join(': ') ?? 'nothing chosen'}
      onPointerMove={({ clientX, currentTarget }) => {
        const x = clientX - currentTarget.getBoundingClientRect().left - left;
        move(x < 0 ? null : scale.columnAt(x));
      }}
      onPointerLeave={() => move(null)}
      onClick={() => cursor !== null && select(cursor)}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && cursor !== null) select(cursor);
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

/** Where the cursor stands in one of the charts. */
export function CursorMark(props: {
  cursor: number | null;
  scale: TimeScale;
  height: number;
}): JSX.Element | null {
  if (props.cursor === null) return null;
  const [left, right] = props.scale.column(props.cursor);
  return <rect class="cursor" x={left} y={0} width={right - left} height={props.height} />;
}
