/**
 * The log: every event once, in order, until it is sealed and deleted (history.ts). Everything else
 * is derived from it.
 *
 * Contract (every implementation passes the suite in test/suites/log.ts):
 * - `append` resolves only when the batch is durable (it survives kill -9 and power loss), with its
 *   events, dead letters and receipts. Waiting appends may share one transaction or round trip.
 * - An append that died or was rejected may have left its leading events, never a later event
 *   without the earlier ones; offered again, the rest is added, and only dead letters may be
 *   duplicated. A store with transactions promises more: a batch is stored as a whole or not at all
 *   (true for SQLite, not for MongoDB).
 * - An event whose id is in the log, or appears twice in a batch, is stored once and counted in
 *   `duplicates`.
 * - Positions increase without gaps from 1, in the order of the appends; deleted events leave gaps.
 *   `read` returns an event only when it is durable, and never changed later.
 * - A log is one partition: one sequence of positions with one writer. Several partitions, one day,
 *   are several logs.
 * - No method throws because of a producer's data; a rejected promise means that the store failed
 *   and that nothing of the batch may be acknowledged.
 */

import type { LedgerEvent, Ownership, RejectionCode } from '@pi-ledger/contract';
import type { History } from './history.ts';
import type { StoredEvent, StoredText } from './stored-event.ts';
import type { Withdrawals } from './withdrawals.ts';

/** A refused event and the reason, kept unchanged so that it can be retried. */
export interface DeadLetter {
  readonly id: number;
  readonly receivedAtMs: number;
  readonly code: RejectionCode;
  /** A JSON pointer into the event. */
  readonly field: string;
  readonly message: string;
  /** The event's JSON, cut at `limits.eventBytesMax`. */
  readonly body: string;
}

export interface AppendBatch {
  readonly receivedAtMs: number;
  readonly events: readonly LedgerEvent[];
  /**
   * The same events as received JSON, if the caller has it: stores that keep text need not
   * serialise them again.
   */
  readonly eventTexts?: readonly string[];
  readonly deadLetters: readonly Omit<DeadLetter, 'id' | 'receivedAtMs'>[];
  /**
   * Places of the refused events in their producers' sequences, where known: they did arrive, so
   * they are not gaps.
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
  /** Events below the floor of deleted history, which were not stored. Absent: none. */
  readonly expired?: number;
}

export interface StoredOwner {
  readonly eventId: string;
  readonly subject: string;
  readonly ownership: Ownership | null;
}

/**
 * Inclusive ranges of the sequence numbers received from one producer process, including duplicates
 * and refused events; ascending and disjoint.
 */
export interface Receipt {
  readonly source: string;
  readonly ranges: readonly (readonly [first: number, last: number])[];
}

export interface Log {
  append(batch: AppendBatch): Promise<AppendResult>;
  /**
   * Events with position > `after`, at most `limit`, in order; none when there is nothing newer.
   * Ends with the first event that brings their texts to `charsMax`, so fewer than `limit` events
   * need not be all. A withdrawn event comes without its content (withdrawals.ts).
   */
  read(after: number, limit: number, charsMax?: number): Promise<readonly StoredEvent[]>;
  /** Like `read`, returning the stored texts unparsed. */
  readTexts(after: number, limit: number, charsMax?: number): Promise<readonly StoredText[]>;
  /** In force from the append of a `pi.records.withdrawn.v1` on. */
  withdrawals(): Promise<Withdrawals>;
  /** Which of these events the log has, with the ownership that they were received with. */
  owners(eventIds: readonly string[]): Promise<readonly StoredOwner[]>;
  /** Position of the newest event; 0 when empty. */
  head(): Promise<number>;
  /**
   * One receipt per producer process (of these sources, or of all), updated in the transactions of
   * the appends.
   */
  receipts(sources?: readonly string[]): Promise<readonly Receipt[]>;
  /**
   * Dead letters with id > `after`, oldest first. Ends with the first one that brings the bodies to
   * `charsMax`.
   */
  deadLetters(after: number, limit: number, charsMax?: number): Promise<readonly DeadLetter[]>;
  removeDeadLetters(ids: readonly number[]): Promise<void>;
  readonly history: History;
  /** Finishes waiting appends, then closes. */
  close(): Promise<void>;
}
