/** A part of a session that is looked at alone: its columns, and its times in the URL. Pure. */
import type { Parameters } from '../../../state/place.ts';
import { firstTurnOf, type Slot } from './slots.ts';

/** Columns of the whole session, both included. */
export interface Stretch {
  readonly first: number;
  readonly last: number;
}

/** Returns null when all is shown, or no column is within what is named. */
export function stretchIn({ from, to }: Parameters, slots: readonly Slot[]): Stretch | null {
  if (from === undefined && to === undefined) return null;
  const [begin, end] = [momentOf(from, Number.NEGATIVE_INFINITY), momentOf(to, Infinity)];
  const isWithin = ({ point }: Slot) => {
    const ms = Date.parse(point.time);
    return ms >= begin && ms < end;
  };
  const first = slots.findIndex(isWithin);
  const last = slots.findLastIndex(isWithin);
  return first === -1 ? null : { first, last };
}

/** As items of a time line are asked for: from what followed the column before. */
export function timesOf({ first, last }: Stretch, slots: readonly Slot[]) {
  const before = slots[first - 1];
  const from = before === undefined ? slots[0]?.from : Date.parse(before.point.time) + 1;
  const end = slots[last];
  const to = Math.max(end?.to ?? 0, Date.parse(end?.point.time ?? '')) + 1;
  return { from: new Date(from ?? 0).toISOString(), to: new Date(to).toISOString() };
}

/** As a drag left it, whichever way it went. */
export function between(one: number, other: number): Stretch {
  return { first: Math.min(one, other), last: Math.max(one, other) };
}

const clickShare = 0.1;

/** As wide as the stretch before, or a tenth, with the column in its middle. */
export function around(column: number, stretch: Stretch | null, count: number): Stretch {
  const size = stretch === null ? Math.ceil(count * clickShare) : sizeOf(stretch);
  return placed(column - Math.floor(size / 2), size, count);
}

/** Returns null for all of it, and undefined for a key that means nothing here. */
export function stretchAfter(
  key: string,
  stretch: Stretch | null,
  count: number,
): Stretch | null | undefined {
  const now = stretch ?? { first: 0, last: count - 1 };
  const size = sizeOf(now);
  const step = Math.max(1, Math.round(size / 4));
  const resized = (next: number) => placed(now.first + Math.round((size - next) / 2), next, count);
  switch (key) {
    case 'ArrowRight':
      return placed(now.first + step, size, count);
    case 'ArrowLeft':
      return placed(now.first - step, size, count);
    case 'Home':
      return placed(0, size, count);
    case 'End':
      return placed(count, size, count);
    case '+':
    case '=':
      return resized(Math.ceil(size / 2));
    case '-':
      return size * 2 >= count ? null : resized(size * 2);
    case 'Escape':
      return stretch === null ? undefined : null;
    default:
      return undefined;
  }
}

/** `turns 12 to 48 of 210` */
export function stretchWords(stretch: Stretch | null, slots: readonly Slot[]): string {
  const all = slots.at(-1)?.point.turn ?? 0;
  const begin = slots[stretch?.first ?? -1];
  const end = slots[stretch?.last ?? -1];
  if (begin === undefined || end === undefined) return `all ${all} turns`;
  const first = firstTurnOf(begin);
  return first === end.point.turn
    ? `turn ${first} of ${all}`
    : `turns ${first} to ${end.point.turn} of ${all}`;
}

function momentOf(text: string | undefined, otherwise: number): number {
  const ms = Date.parse(text ?? '');
  return Number.isNaN(ms) ? otherwise : ms;
}

function sizeOf({ first, last }: Stretch): number {
  return last - first + 1;
}

/** Moved to where it fits. */
function placed(first: number, size: number, count: number): Stretch {
  const begin = Math.max(0, Math.min(first, count - size));
  return { first: begin, last: Math.min(count, begin + size) - 1 };
}
