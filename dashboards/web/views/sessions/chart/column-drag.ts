/** Dragging over the columns of a chart. Captures the pointer, so a drag may leave the element. */
import type { TargetedPointerEvent } from 'preact';
import { useState } from 'preact/hooks';

/** Columns where the drag began and where it is now, in either order. */
interface Drag {
  readonly from: number;
  readonly to: number;
}

type PointerEventOn = TargetedPointerEvent<HTMLElement>;

export interface ColumnDragOptions {
  /** The column below the pointer. */
  columnAt(event: PointerEventOn): number;
  /** The button was released; a click begins and ends in one column. */
  onDone(drag: Drag): void;
}

export interface ColumnDrag {
  /** It is null while nothing is dragged. */
  readonly drag: Drag | null;
  /** For the element that is dragged over. */
  readonly handlers: {
    onPointerDown(event: PointerEventOn): void;
    onPointerMove(event: PointerEventOn): void;
    onPointerUp(): void;
    onPointerCancel(): void;
  };
}

export function useColumnDrag({ columnAt, onDone }: ColumnDragOptions): ColumnDrag {
  const [drag, setDrag] = useState<Drag | null>(null);
  return {
    drag,
    handlers: {
      onPointerDown(event) {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        const column = columnAt(event);
        setDrag({ from: column, to: column });
      },
      onPointerMove(event) {
        if (drag !== null) setDrag({ ...drag, to: columnAt(event) });
      },
      onPointerUp() {
        if (drag === null) return;
        setDrag(null);
        onDone(drag);
      },
      onPointerCancel: () => setDrag(null),
    },
  };
}
