/**
 * The log's collections in a MongoDB database. What people may read in them is described in
 * docs/mongodb.md.
 *
 * An event's text is kept as it came, in `body`: the log answers with exactly what was appended,
 * which a document would not (numbers, NUL, lone surrogates, field names with dots), and a text is
 * written and read twice as fast. The envelope's fields stand beside it for people and indexes.
 *
 * The collection `events` must not be sharded: `_id` and `eventId` are both unique.
 */
import type { Ownership, RejectionCode } from '@pi-ledger/contract';
import type { Collection, Db } from 'mongodb';
import type { Seal } from '../../../log/history.ts';

export interface EventDocument {
  /** The position: from 1, without gaps. */
  readonly _id: bigint;
  readonly eventId: string;
  readonly receivedAt: Date;
  readonly type: string;
  readonly source: string;
  readonly subject: string;
  readonly time: Date;
  readonly sequence?: bigint;
  readonly ownership?: Ownership;
  /** The event's JSON, as it came. */
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

/** Sequence numbers that arrived. Ranges may touch or overlap: what counts is their union. */
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
}

/** The highest position or id of something. */
interface CounterDocument {
  readonly _id: 'dead_letters' | 'receipts';
  readonly value: bigint;
}

/** What log/mongodb-history.ts knows. */
interface SealDocument {
  readonly _id: 'seal';
  /** Raised by whoever takes the log over. */
  readonly epoch: bigint;
  readonly seal: Seal | null;
}

export interface LogCollections {
  readonly events: Collection<EventDocument>;
  readonly deadLetters: Collection<DeadLetterDocument>;
  readonly receipts: Collection<ReceiptDocument>;
  readonly counters: Collection<CounterDocument>;
  readonly store: Collection<StoreDocument>;
  readonly seals: Collection<SealDocument>;
}

export function logCollections(database: Db): LogCollections {
  const options = { useBigInt64: true };
  return {
    events: database.collection('events', options),
    deadLetters: database.collection('dead_letters', options),
    receipts: database.collection('receipts', options),
    counters: database.collection('meta', options),
    store: database.collection('meta', options),
    // Its numbers are below 2^53, but for the epoch, which is written as 64 bits.
    seals: database.collection('meta', options),
  };
}
