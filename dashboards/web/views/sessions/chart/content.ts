/** What the charts of a session are drawn from: all of it, or a part. Pure. */
import type { ContextSeriesPoint, TimelineItem } from '@pi-ledger/contract/answers';
import { promptsBefore } from '../session/prompts.ts';
import { type Slot, slotsOf } from './slots.ts';
import { type Span, spansOf } from './spans.ts';
import { type Stretch, timesOf } from './stretch.ts';

export interface Content {
  readonly slots: readonly Slot[];
  readonly spans: readonly Span[];
  /** The session had this many before the first of these. */
  readonly promptsBefore: number;
}

export function contentOf(
  points: readonly ContextSeriesPoint[],
  items: readonly TimelineItem[],
  promptsBefore = 0,
): Content {
  const spans = spansOf(items);
  return { slots: slotsOf(points, spans), spans, promptsBefore };
}

/** `inPart`: the items as told of the part alone, less thinned; null: not told yet. */
export function partOf(
  whole: Content,
  stretch: Stretch,
  inPart: readonly TimelineItem[] | null,
): Content {
  const { from, to } = timesOf(stretch, whole.slots);
  const points = whole.slots.slice(stretch.first, stretch.last + 1).map(({ point }) => point);
  const all = whole.spans.map(({ item }) => item);
  const items = inPart ?? all.filter(({ time }) => time >= from && time < to);
  return contentOf(points, items, promptsBefore(all, from));
}
