/** A long table draws only the rows near the screen. */
import { useLayoutEffect, useReducer, useRef } from 'preact/hooks';

/** Rows from `from` until before `to` are drawn. */
export interface RowWindow {
  readonly from: number;
  readonly to: number;
}

export interface WindowPlace {
  readonly count: number;
  readonly rowPx: number;
  /**
   * The first row is this far from the upper edge of the screen; negative once it is scrolled away.
   */
  readonly topPx: number;
  readonly screenPx: number;
}

/** As many rows are drawn whole. */
const wholeMax = 200;
/** Above and below the screen, for what scrolls before the next drawing. */
const aroundRows = 10;

export function isWindowed(count: number): boolean {
  return count > wholeMax;
}

export function windowOf({ count, rowPx, topPx, screenPx }: WindowPlace): RowWindow {
  if (!isWindowed(count)) return { from: 0, to: count };
  const first = Math.floor(-topPx / rowPx) - aroundRows;
  const from = Math.max(0, Math.min(first, count - 2 * aroundRows));
  const last = Math.ceil((screenPx - topPx) / rowPx) + aroundRows;
  return { from, to: Math.min(count, Math.max(last, from + 2 * aroundRows)) };
}

const rowPxUsual = 28;

/** Follows the page as it scrolls. `ref`: of the rows. */
export function useRowWindow(count: number) {
  const ref = useRef<HTMLTableSectionElement>(null);
  const shown = useRef<RowWindow>(windowAt(null, count));
  const [, redraw] = useReducer((drawings: number) => drawings + 1, 0);
  const next = windowAt(ref.current, count);
  shown.current = next;
  useLayoutEffect(() => {
    if (!isWindowed(count)) return;
    const look = () => {
      const { from, to } = windowAt(ref.current, count);
      if (from !== shown.current.from || to !== shown.current.to) redraw(undefined);
    };
    look();
    addEventListener('scroll', look, { passive: true });
    addEventListener('resize', look);
    return () => {
      removeEventListener('scroll', look);
      removeEventListener('resize', look);
    };
  }, [count]);
  return { ref, window: next, rowPx: rowPxOf(ref.current) };
}

function windowAt(rows: HTMLElement | null, count: number): RowWindow {
  const topPx = rows === null ? 0 : rows.getBoundingClientRect().top;
  return windowOf({ count, rowPx: rowPxOf(rows), topPx, screenPx: innerHeight });
}

function rowPxOf(rows: HTMLElement | null): number {
  const row = rows?.querySelector<HTMLElement>('tr[data-row]');
  return row?.offsetHeight || rowPxUsual;
}
