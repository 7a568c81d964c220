/**
 * Whoever is handed the log beside the views, at its own pace: an exporter.
 *
 * An event is handed over after every view has committed it, so that what a query says of it is
 * there. Each has a checkpoint of its own.
 */
import type { StoredEvent } from '../log/stored-event.ts';

export interface Subscriber {
  /** Of its checkpoint: no other has it, and it never changes. */
  readonly name: string;
  /** Where it begins without a checkpoint: at the log's first event, or behind its newest. */
  readonly beginsAt: 'start' | 'head';
  /**
   * At least once, in the log's order, one batch at a time: the checkpoint moves after this has
   * resolved. When it rejects, when the process dies, or when another one takes over, the same
   * events come again, perhaps in other batches.
   *
   * Rejects soon after the signal is aborted: the process stops, or does not lead any more.
   */
  handle(batch: SubscriberBatch, signal: AbortSignal): Promise<void>;
}

export interface SubscriberBatch {
  /**
   * Those that stand behind `from`, up to `to`: none where they were all deleted. One may be
   * damaged (`StoredEvent.damage`).
   */
  readonly events: readonly StoredEvent[];
  readonly from: number;
  readonly to: number;
}

export interface SubscriberState {
  readonly name: string;
  /** It has all up to here; null: it has not begun. */
  readonly position: number | null;
  readonly head: number;
  /** Why it does not advance; null: it does. */
  readonly failure: string | null;
}
