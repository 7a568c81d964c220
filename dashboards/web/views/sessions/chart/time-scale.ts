/** Where a moment of a session stands on the x axis: by turns, or by time, idle folded. Pure. */
import { bisectRight } from 'd3-array';
import type { Slot } from './slots.ts';

export type Along = 'turns' | 'time';

export interface TimeScale {
  /** `ms` since 1970; px. Never falls. */
  x(ms: number): number;
  /** The edges of a column. */
  column(index: number): readonly [left: number, right: number];
  /** The column at `x`; null: there are none. */
  columnAt(x: number): number | null;
  /** Where idle time is folded, and how much. */
  readonly folds: readonly Fold[];
}

interface Fold {
  readonly x: number;
  readonly ms: number;
}

interface Knot {
  readonly ms: number;
  readonly x: number;
}

export function timeScale(slots: readonly Slot[], along: Along, width: number): TimeScale {
  const { knots, folds } =
    along === 'turns' ? { knots: byTurns(slots, width), folds: [] } : byTime(slots, width);
  const moments = knots.map(({ ms }) => ms);
  const x = (ms: number) => at(knots, bisectRight(moments, ms), ms);
  const columns = slots.map((slot, index): readonly [number, number] => {
    const left = along === 'turns' ? (knots[2 * index]?.x ?? 0) : x(slot.from);
    const right = along === 'turns' ? (knots[2 * index + 1]?.x ?? 0) : x(slot.to);
    return [left, Math.max(right, left + 1)];
  });
  const lefts = columns.map(([left]) => left);
  return {
    x,
    column: (index) => columns[index] ?? [0, 0],
    columnAt: (px) => (slots.length === 0 ? null : Math.max(0, bisectRight(lefts, px) - 1)),
    folds,
  };
}

/** Between two knots in proportion; outside, at the edge. */
function at(knots: readonly Knot[], next: number, ms: number): number {
  const [before, after] = [knots[next - 1], knots[next]];
  if (before === undefined) return after?.x ?? 0;
  if (after === undefined || after.ms === before.ms) return before.x;
  return before.x + ((after.x - before.x) * (ms - before.ms)) / (after.ms - before.ms);
}

const turnPxMax = 48;

/** Every turn as wide as any other. */
function byTurns(slots: readonly Slot[], room: number): readonly Knot[] {
  const turns = slots.reduce((sum, slot) => sum + slot.turns, 0);
  const width = Math.min(room, turns * turnPxMax);
  let done = 0;
  return slots.flatMap((slot) => {
    const left = (width * done) / turns;
    done += slot.turns;
    return [
      { ms: slot.from, x: left },
      { ms: slot.to, x: (width * done) / turns },
    ];
  });
}

/** Longer pauses are folded. */
const idleMs = 30_000;
const foldPx = 14;
/** Folds take at most this share of the width. */
const foldShare = 0.3;

function byTime(slots: readonly Slot[], width: number) {
  const busy = busyOf(slots);
  const worked = busy.reduce((sum, [from, to]) => sum + to - from, 0);
  const foldWidth = Math.min(foldPx, (width * foldShare) / Math.max(1, busy.length - 1));
  const scale = (width - foldWidth * (busy.length - 1)) / Math.max(1, worked);
  const knots: Knot[] = [];
  const folds: Fold[] = [];
  let x = 0;
  for (const [index, [from, to]] of busy.entries()) {
    const before = busy[index - 1];
    if (before !== undefined) {
      folds.push({ x: x + foldWidth / 2, ms: from - before[1] });
      x += foldWidth;
    }
    knots.push({ ms: from, x });
    x += (to - from) * scale;
    knots.push({ ms: to, x });
  }
  return { knots, folds };
}

/** Stretches of work without a long pause. */
function busyOf(slots: readonly Slot[]): readonly (readonly [number, number])[] {
  const busy: [number, number][] = [];
  for (const { from, to } of slots) {
    const last = busy.at(-1);
    if (last !== undefined && from - last[1] <= idleMs) last[1] = Math.max(last[1], to);
    else busy.push([from, to]);
  }
  return busy;
}
