/** The columns that the charts of a session share: a turn or a summary each. Pure. */
import type { ContextSeriesPoint, TimelineItem } from '@pi-ledger/contract/answers';
import type { Span } from './spans.ts';

export interface Slot {
  readonly point: ContextSeriesPoint;
  /** It is null where the item is merged with others. */
  readonly item: TimelineItem | null;
  /** What the session did in it, in ms since 1970: from the request until the next one. */
  readonly from: number;
  readonly to: number;
  /** A turn says how many it stands for; a summary stands for 1. */
  readonly turns: number;
}

/** The first turn that it stands for, or belongs to. */
export function firstTurnOf({ point, turns }: Slot): number {
  return Math.max(1, point.turn - (point.kind === 'turn' ? turns - 1 : 0));
}

export function slotsOf(
  points: readonly ContextSeriesPoint[],
  spans: readonly Span[],
): readonly Slot[] {
  const spanOf = new Map(spans.map((span) => [span.item.entryId, span]));
  const begins: number[] = [];
  for (const [index, { entryId, time }] of points.entries()) {
    const span = spanOf.get(entryId);
    const isAlone = span !== undefined && span.item.kind !== 'merged';
    const before = points[index - 1]?.time ?? spans[0]?.item.startedAt ?? time;
    const from = isAlone ? span.from : Math.min(Date.parse(before), Date.parse(time));
    begins.push(Math.max(begins.at(-1) ?? Number.NEGATIVE_INFINITY, from));
  }
  const ends = endsOf(begins, points, spans);
  return points.map((point, index) => {
    const item = spanOf.get(point.entryId)?.item ?? null;
    return {
      point,
      item: item?.kind === 'merged' ? null : item,
      from: begins[index] ?? 0,
      to: ends[index] ?? 0,
      turns: point.kind === 'turn' ? Math.max(1, point.turnsCovered) : 1,
    };
  });
}

/** The last end of what began in each column, before the next begins. */
function endsOf(
  begins: readonly number[],
  points: readonly ContextSeriesPoint[],
  spans: readonly Span[],
): readonly number[] {
  const work = spans.filter(({ item }) => !beside.has(item.kind));
  let at = 0;
  return points.map(({ time }, index) => {
    const next = begins[index + 1] ?? Number.POSITIVE_INFINITY;
    let end = Math.max(begins[index] ?? 0, Date.parse(time));
    for (; at < work.length; at++) {
      const span = work[at];
      if (span === undefined || span.from >= next) break;
      end = Math.max(end, span.to);
    }
    return Math.min(end, next);
  });
}

/** What takes no time of the session's own. */
const beside: ReadonlySet<TimelineItem['kind']> = new Set(['subagent', 'prompt', 'model']);
