/**
 * Holds back events too far in the future for the log, from a host with a wrong clock. They are
 * read again when their time comes.
 */
import { limits } from '@pi-ledger/contract';
import type { EventDraft } from '@pi-ledger/core/record/draft';

export interface Ahead {
  sort(drafts: readonly EventDraft[]): {
    readonly taken: readonly EventDraft[];
    readonly held: readonly EventDraft[];
  };
  /** When the first held event can be taken; null when none is held. */
  readonly againAtMs: number | null;
}

/** The latest time that the log accepts, as in events. */
export function latestTimeAt(nowMs: number): string {
  return new Date(nowMs + limits.futureMsMax).toISOString();
}

const none: readonly EventDraft[] = [];

/** `latest`: a time as in events, which sorts as text. */
export function createAhead(latest: string): Ahead {
  let againAtMs: number | null = null;
  return {
    sort(drafts) {
      if (!drafts.some(({ time }) => time > latest)) return { taken: drafts, held: none };
      const held = drafts.filter(({ time }) => time > latest);
      for (const { time } of held)
        againAtMs = Math.min(
          againAtMs ?? Number.POSITIVE_INFINITY,
          Date.parse(time) - limits.futureMsMax,
        );
      return { taken: drafts.filter(({ time }) => time <= latest), held };
    },
    get againAtMs() {
      return againAtMs;
    },
  };
}
