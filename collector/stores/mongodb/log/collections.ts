/**
 * The log's collections in a MongoDB database; docs/mongodb.md describes them for people.
 *
 * The text of an event is kept unchanged in `body`: the log returns exactly what was appended,
 * which a document could not (numbers, NUL, lone surrogates, field names with dots), and a text is
 * written and read twice as fast. Fields of the envelope are stored beside it for people and
 * indexes.
 *
 * The collection `events` must not be sharded: `_id` and `eventId` are both unique.
 */
import type { Ownership, RejectionCode } from '@pi-ledger/contract';
import type { Collection, Db } from 'mongodb';
import type { Seal } from '../../../log/history.ts';
import { type Positions, positionsOf } from './positions.ts';

export interface EventDocument {
  /** The position, in its log's range (positions.ts). */
  readonly _id: bigint;
  readonly eventId: string;
  readonly receivedAt: Date;
  readonly type: string;
  readonly source: string;
  readonly subject: string;
  readonly time: Date;
  readonly sequence?: bigint;
  readonly ownership?: Ownership;
  /** The event's JSON, unchanged. */
  readonly body: string;
}

interface DeadLetterDocument {
  readonly _id: bigint;
  readonly receivedAt: Date;
  readonly code: RejectionCode;
  readonly field: string;
  readonly message: string;
  readonly body: string;
}

/** Received sequence numbers. Ranges may touch or overlap: their union counts. */
export interface ReceiptDocument {
  /** `<first> <source>` */
  readonly _id: string;
  readonly source: string;
  readonly first: bigint;
  readonly last: bigint;
}

interface StoreDocument {
  readonly _id: 'store';
  readonly storeId: string;
  readonly createdAt: Date;
  /** How many cells the ledger has; absent: one. In the first one's document alone. */
  readonly cells?: number;
}

/** The highest position or id used. */
interface CounterDocument {
  readonly _id: 'dead_letters' | 'receipts';
  readonly value: bigint;
}

/** State of history.ts. */
interface SealDocument {
  readonly _id: 'seal';
  /** Increased by each take-over of the log. */
  readonly epoch: bigint;
  readonly seal: Seal | null;
  /** Absent: not known. */
  readonly settledFloorMs?: number;
}

/** Written before its event is: without one, it says nothing. */
interface WithdrawalDocument {
  /** The event's id. */
  readonly _id: string;
}

export interface LogCollections {
  /** They are this log's, in `events`. */
  readonly positions: Positions;
  readonly events: Collection<EventDocument>;
  readonly deadLetters: Collection<DeadLetterDocument>;
  readonly receipts: Collection<ReceiptDocument>;
  readonly withdrawals: Collection<WithdrawalDocument>;
  readonly counters: Collection<CounterDocument>;
  readonly store: Collection<StoreDocument>;
  readonly seals: Collection<SealDocument>;
}

/** `range`: of its positions. */
export function logCollections(database: Db, range = 0): LogCollections {
  const options = { useBigInt64: true };
  return {
    positions: positionsOf(range),
    events: database.collection('events', options),
    deadLetters: database.collection('dead_letters', options),
    receipts: database.collection('receipts', options),
    withdrawals: database.collection('withdrawals', options),
    counters: database.collection('meta', options),
    store: database.collection('meta', options),
    // All numbers are below 2^53; the epoch is written as a 64-bit integer.
    seals: database.collection('meta', options),
  };
}
