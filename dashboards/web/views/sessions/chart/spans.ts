/** When things happened: each item of a time line as a stretch of time. Pure. */
import type { TimelineItem } from '@pi-ledger/contract/answers';

export interface Span {
  readonly item: TimelineItem;
  /** In ms since 1970. */
  readonly from: number;
  readonly to: number;
}

/** In order of time. Where no host told when an item began, it did when the one before ended. */
export function spansOf(items: readonly TimelineItem[]): readonly Span[] {
  let before = Number.NEGATIVE_INFINITY;
  return items.map((item) => {
    const span = spanOf(item, before);
    if (item.kind !== 'subagent') before = Math.max(before, span.to);
    return span;
  });
}

function spanOf(item: TimelineItem, before: number): Span {
  const time = Date.parse(item.time);
  // These stand where they began.
  if (item.kind === 'subagent' || item.kind === 'retry')
    return { item, from: time, to: time + (item.durationMs ?? 0) };
  if (item.startedAt !== null) return { item, from: Date.parse(item.startedAt), to: time };
  const isWork = item.kind === 'turn' || item.kind === 'tool';
  return {
    item,
    from: isWork ? Math.min(time, Math.max(before, time - guessMsMax)) : time,
    to: time,
  };
}

/** Nobody works longer on one thing, where it is not told. */
const guessMsMax = 600_000;
