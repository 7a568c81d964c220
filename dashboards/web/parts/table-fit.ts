/** Which columns have room: those of the lowest priority go, so that no figure is cut. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

interface Going {
  readonly name: string;
  readonly goes?: number | undefined;
}

/** The names that have no room. `widths`: of every column, in px; one not known takes none. */
export function withoutRoom(
  columns: readonly Going[],
  widths: ReadonlyMap<string, number>,
  room: number,
): readonly string[] {
  const widthOf = ({ name }: Going) => widths.get(name) ?? 0;
  let needed = columns.reduce((sum, column) => sum + widthOf(column), 0);
  const gone: string[] = [];
  const going = columns.filter(({ goes }) => goes !== undefined).reverse();
  for (const column of going.toSorted((one, other) => (other.goes ?? 0) - (one.goes ?? 0))) {
    if (needed <= room) break;
    needed -= widthOf(column);
    gone.push(column.name);
  }
  return gone;
}

/** `ref`: of what scrolls when columns do not fit. */
export function useFit(
  columns: readonly Going[],
  isWhole: boolean,
): { readonly ref: { current: HTMLElement | null }; readonly gone: ReadonlySet<string> } {
  const ref = useRef<HTMLElement>(null);
  const widths = useRef(new Map<string, number>());
  const [gone, setGone] = useState<readonly string[]>([]);
  const fit = () => {
    const box = ref.current;
    if (box === null || isWhole) return;
    const isOver = box.scrollWidth > box.clientWidth + 1;
    if (isOver)
      for (const head of box.querySelectorAll<HTMLElement>('th[data-column]'))
        widths.current.set(head.dataset.column ?? '', head.getBoundingClientRect().width);
    else if (gone.length === 0) return;
    const next = withoutRoom(columns, widths.current, box.clientWidth);
    if (next.join() !== gone.join()) setGone(next);
  };
  const latest = useRef(fit);
  latest.current = fit;
  useLayoutEffect(fit);
  useLayoutEffect(() => {
    if (ref.current === null) return;
    const observer = new ResizeObserver(() => latest.current());
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, []);
  return { ref, gone: new Set(gone) };
}
