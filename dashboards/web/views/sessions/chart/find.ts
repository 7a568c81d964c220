/** What of a session's time line has a name with these letters. Pure. */
import type { TimelineItem } from '@pi-ledger/contract/answers';
import { bisectRight } from 'd3-array';
import type { Slot } from './slots.ts';
import type { Span } from './spans.ts';

export interface Find {
  readonly span: Span;
  /** Where it is. */
  readonly turn: number;
}

/** What stands in a lane and has a name: of a turn its model, of a call its tool, of an agent. */
const named: ReadonlySet<TimelineItem['kind']> = new Set(['turn', 'tool', 'subagent']);

/** In order of time. Null: nothing is looked for. */
export function findSpans(
  text: string,
  spans: readonly Span[],
  slots: readonly Slot[],
): readonly Find[] | null {
  const letters = text.trim().toLowerCase();
  if (letters === '') return null;
  const begins = slots.map(({ from }) => from);
  return spans
    .filter(({ item }) => named.has(item.kind) && item.name.toLowerCase().includes(letters))
    .flatMap((span) => {
      const slot = slots[Math.max(0, bisectRight(begins, span.from) - 1)];
      return slot === undefined ? [] : [{ span, turn: slot.point.turn }];
    });
}

/** The place after `at`, or before it, round about; null: there are none. */
export function nextFind(count: number, at: number | null, step: 1 | -1): number | null {
  if (count === 0) return null;
  if (at === null || at >= count) return step === 1 ? 0 : count - 1;
  return (at + step + count) % count;
}
