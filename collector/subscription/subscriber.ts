/**
 * A consumer of the log beside the views, at its own pace: an exporter. Each has its own
 * checkpoint.
 *
 * An event is handed over after every view has committed it, so a query knows it already.
 */
import type { ExporterLosses } from '../exporters/exporter.ts';
import type { StoredEvent } from '../log/stored-event.ts';

export interface Subscriber {
  /** Names its checkpoint: unique, and never changed. */
  readonly name: string;
  /** Where it begins without a checkpoint: at the log's first event, or behind its newest. */
  readonly beginsAt: 'start' | 'head';
  /**
   * When no event has come for so long, `handle` is called without any, with `from` equal to `to`:
   * time has passed. Absent: it is not. It is asked for anew each time: 0 means that there is more
   * to do.
   */
  readonly idleMs?: number;
  /**
   * Called at least once for each event, in the log's order, one batch at a time. The checkpoint
   * moves after it has resolved; when it rejects, the process dies or another one takes over, the
   * same events come again, possibly in other batches.
   *
   * `state` is what it resolved with last, of the batches before this one: null before the first
   * time. It is stored together with the checkpoint, so the two never disagree; `undefined` leaves
   * it as it is. One that is longer than `stateBytesMax` fails the batch.
   *
   * Must reject soon after the signal is aborted: the process stops, or no longer leads.
   */
  handle(
    batch: SubscriberBatch,
    signal: AbortSignal,
    state: string | null,
  ): Promise<string | undefined>;
  /**
   * Called before the first `handle` where it begins at the head: with the newest events before
   * that, in batches, and at last without any. What the last call resolves with is its first state.
   * Nothing of them is to be sent. Absent: it begins without a state.
   */
  recall?(batch: SubscriberBatch, state: string | null): Promise<string | null>;
  /** What it could not deliver since the process started; null, or absent: nothing. */
  losses?(): ExporterLosses | null;
}

export interface SubscriberBatch {
  /**
   * Those after `from`, up to `to`; empty where all were deleted. An event may be damaged
   * (`StoredEvent.damage`).
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
  /** Events that retention deleted before it read them, since the process started. */
  readonly passedOver: number;
  readonly losses: ExporterLosses;
}
