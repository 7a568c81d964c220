/**
 * The log: every event once, in order, until it is sealed and deleted (history.ts). All else is
 * derived from it.
 *
 * Contract (the suite in test/suites/log.ts holds every implementation to it):
 * - `append` resolves only when the batch is durable (it survives kill -9 and power loss): events,
 *   dead letters and receipts are all there. Appends that wait together may share one transaction
 *   or round trip.
 * - An append that died or was rejected may have left a leading part of its events, never a later
 *   event without the earlier ones; offered again, the rest is added, and nothing is there twice
 *   but dead letters. A store with transactions promises more: all of a batch is there or nothing
 *   (SQLite does, MongoDB does not).
 * - An event whose id the log knows, or which stands twice in a batch, is stored once and counted
 *   in `duplicates`.
 * - Positions grow without gaps from 1, in the order of the appends; what was deleted leaves a gap.
 *   `read` sees an event only when it is durable, and never again differently.
 * - A log is one partition: one sequence of positions with one writer. Several partitions, one day,
 *   are several logs.
 * - Nothing here throws for what a producer sent; a rejected promise means that the store failed
 *   and that nothing of the batch may be acknowledged.
 */

import type { LedgerEvent, Ownership, RejectionCode } from '@pi-ledger/contract';
import type { History } from './history.ts';
import type { StoredEvent, StoredText } from './stored-event.ts';

/** What was refused and why, kept as it came so that it can be retried. */
export interface DeadLetter {
  readonly id: number;
  readonly receivedAtMs: number;
  readonly code: RejectionCode;
  /** JSON pointer into the event. */
  readonly field: string;
  readonly message: string;
  /** The event's JSON, cut at `limits.eventBytesMax`. */
  readonly body: string;
}

export interface AppendBatch {
  readonly receivedAtMs: number;
  readonly events: readonly LedgerEvent[];
  /**
   * The same events as JSON, where the caller has them as they came: spares an implementation that
   * stores text from writing them again.
   */
  readonly eventTexts?: readonly string[];
  readonly deadLetters: readonly Omit<DeadLetter, 'id' | 'receivedAtMs'>[];
  /**
   * Where the refused events stood in their producers' sequences, as far as they say so: they are
   * no gaps, they did arrive.
   */
  readonly refused?: readonly SequencePlace[];
}

export interface SequencePlace {
  readonly source: string;
  /** Ten digits; imported events have none. */
  readonly sequence?: string;
}

export interface AppendResult {
  readonly appended: number;
  readonly duplicates: number;
  /** Below the floor of what was deleted: not stored. Absent: none. */
  readonly expired?: number;
}

export interface StoredOwner {
  readonly eventId: string;
  readonly subject: string;
  readonly ownership: Ownership | null;
}

/**
 * Inclusive ranges of the sequence numbers that arrived from one producer process, duplicates and
 * refused ones included, ascending and disjoint.
 */
export interface Receipt {
  readonly source: string;
  readonly ranges: readonly (readonly [first: number, last: number])[];
}

export interface Log {
  append(batch: AppendBatch): Promise<AppendResult>;
  /**
   * Events with position > `after`, at most `limit`, in order; none when there is nothing newer. It
   * ends with the first event that makes their texts as long as `charsMax`: fewer than `limit` need
   * not be all.
   */
  read(after: number, limit: number, charsMax?: number): Promise<readonly StoredEvent[]>;
  /** As `read`, of what is stored: nothing is parsed. */
  readTexts(after: number, limit: number, charsMax?: number): Promise<readonly StoredText[]>;
  /** Of these events those that the log has, and whose they were said to be when they came. */
  owners(eventIds: readonly string[]): Promise<readonly StoredOwner[]>;
  /** Position of the newest event; 0 when empty. */
  head(): Promise<number>;
  /**
   * One receipt per producer process (of these sources, or of all), computed in the appends' own
   * transactions.
   */
  receipts(sources?: readonly string[]): Promise<readonly Receipt[]>;
  /**
   * Oldest first, ids > `after`. It ends with the first one that makes the bodies as long as
   * `charsMax`.
   */
  deadLetters(after: number, limit: number, charsMax?: number): Promise<readonly DeadLetter[]>;
  removeDeadLetters(ids: readonly number[]): Promise<void>;
  readonly history: History;
  /** Finishes what waits, then closes. */
  close(): Promise<void>;
}
