/**
 * The log in a MongoDB database: MongoDB 6 or newer as a replica set or a sharded cluster, or a
 * compatible server.
 *
 * Implements log.ts with one appender. An append is acknowledged when a majority has it in its
 * journal, and reads see only such events. It needs no transactions: first the events
 * (appender.ts), then dead letters and receipts (while the next events are inserted), then the ack.
 * A failed append may have left its leading events; offered again, the rest is added.
 *
 * The lease (lease.ts) keeps a second process from writing, not this module: only its holder may
 * append. If another one writes all the same, the unique keys refuse it.
 */

import type { Db } from 'mongodb';
import { LedgerError } from '../../../errors.ts';
import { createBoundedList } from '../../../log/bounded-list.ts';
import { createGroupCommit } from '../../../log/group-commit.ts';
import type { AppendBatch, AppendResult, Log } from '../../../log/log.ts';
import { readEvent, type StoredEvent, type StoredText } from '../../../log/stored-event.ts';
import { createTail } from '../../../log/tail.ts';
import { applyWithdrawals } from '../../../log/withdrawals.ts';
import { type AppendRight, createAppender, readHead } from './appender.ts';
import { type LogCollections, logCollections } from './collections.ts';
import { createMongodbDeadLetters } from './dead-letters.ts';
import { createMongodbHistory } from './history.ts';
import { createMongodbReceipts } from './receipts.ts';
import { createMongodbWithdrawals } from './withdrawals.ts';

export interface MongodbLog extends Log {
  readonly storeId: string;
  readonly createdAtMs: number;
  /**
   * Call it after getting the right to append, before the first append: completes what a dead
   * appender left unfinished.
   */
  takeOver(): Promise<void>;
}

export interface MongodbLogOptions {
  /** A migrated database. `close` leaves it open. */
  readonly database: Db;
  /** The number of the range that its positions have (positions.ts); default: the first. */
  readonly range?: number;
  readonly right: AppendRight;
}

const groupEventsMax = 5_000;
const waitingEventsMax = 50_000;
const tailEventsMax = 10_000;
const tailCharsMax = 8 * 1024 * 1024;
/** Events per answer of the server; a longer read takes several. */
const readEventsMax = 5_000;

/** Throws `store_missing` when the database has no log, and errors of the server. */
export async function openMongodbLog({
  database,
  range = 0,
  right,
}: MongodbLogOptions): Promise<MongodbLog> {
  const collections = logCollections(database, range);
  const store = await collections.store.findOne({ _id: 'store' });
  if (store === null) throw new LedgerError('store_missing');
  const withdrawals = createMongodbWithdrawals(collections);
  const history = createMongodbHistory({
    collections,
    kept: withdrawals.noted,
    settleAppends: async () =>
      void (await append({ receivedAtMs: 0, events: [], deadLetters: [] })),
    onExpired: () => tail.clear(),
  });
  const appender = createAppender(collections, right, history.idMin);
  const receipts = createMongodbReceipts(collections);
  const deadLetters = createMongodbDeadLetters(collections);
  const tail = createTail({ eventsMax: tailEventsMax, charsMax: tailCharsMax });

  /** The receipts are complete up to this position. */
  let recorded = 0;

  async function recordReceipts(
    batches: readonly AppendBatch[],
    appended: readonly { readonly stored: StoredEvent }[],
  ): Promise<void> {
    await receipts.record(batches.flatMap(({ events, refused = [] }) => [...events, ...refused]));
    const last = appended.at(-1)?.stored.position;
    if (last === undefined) return;
    // A server may execute a dead appender's request after the take-over; no append will ever
    // record these events.
    if (recorded + appended.length !== last) await receipts.complete(last);
    recorded = last;
  }

  /** First half of an append; once it is done, the next group is inserted. */
  async function insert(batches: readonly AppendBatch[]): Promise<readonly Inserted[]> {
    await withdrawals.note(batches);
    const { results, appended } = await appender.append(batches).catch((error: unknown) => {
      tail.clear(); // some of them may be in the log, now or soon
      throw error;
    });
    for (const { stored, textChars } of appended) tail.push(stored, textChars);
    const recorded = recordings.add({ batches, appended });
    recorded.catch(() => undefined); // each of the group's batches waits for it, and rejects
    return results.map((result) => ({ result, recorded }));
  }

  /** Second half, for all waiting groups together. */
  async function record(groups: readonly InsertedGroup[]): Promise<readonly null[]> {
    const batches = groups.flatMap((group) => group.batches);
    await deadLetters.add(batches);
    await recordReceipts(
      batches,
      groups.flatMap(({ appended }) => appended),
    );
    await receipts.checkpoint(recorded);
    return groups.map(() => null);
  }

  const limits = { groupWeightMax: groupEventsMax, waitingWeightMax: waitingEventsMax };
  const inserts = createGroupCommit({ commit: insert, weigh: weightOf, ...limits });
  const recordings = createGroupCommit({
    commit: record,
    weigh: ({ batches }: InsertedGroup) => batches.reduce((sum, batch) => sum + weightOf(batch), 0),
    ...limits,
  });

  async function append(batch: AppendBatch): Promise<AppendResult> {
    const { result, recorded } = await inserts.add(batch);
    await recorded;
    return result;
  }

  return {
    history,
    storeId: store.storeId,
    createdAtMs: store.createdAt.getTime(),
    append,
    async read(after, limit, charsMax) {
      const read =
        tail.read(after, limit, charsMax) ??
        (await readStored(collections, after, limit, charsMax));
      return applyWithdrawals(read, await withdrawals.current());
    },
    withdrawals: () => withdrawals.current(),
    readTexts: (after, limit, charsMax) => readTexts(collections, after, limit, charsMax),
    async owners(eventIds) {
      const fields = { _id: 0, eventId: 1, subject: 1, ownership: 1 };
      const rows = await collections.events
        .find({ eventId: { $in: [...eventIds] } }, { projection: fields })
        .toArray();
      return rows.map(({ eventId, subject, ownership = null }) => ({
        eventId,
        subject,
        ownership,
      }));
    },
    head: () => readHead(collections),
    receipts: (sources) => receipts.read(sources),
    deadLetters: (after, limit, charsMax) => deadLetters.read(after, limit, charsMax),
    removeDeadLetters: (ids) => deadLetters.remove(ids),
    async takeOver() {
      appender.forget();
      tail.clear();
      await history.takeOver();
      recorded = await readHead(collections);
      await receipts.complete(recorded);
    },
    async close() {
      await inserts.close();
      await recordings.close();
    },
  };
}

/** The first half of an append is done: its events are in the log. */
interface Inserted {
  readonly result: AppendResult;
  /** The second half: dead letters and receipts. */
  readonly recorded: Promise<null>;
}

interface InsertedGroup {
  readonly batches: readonly AppendBatch[];
  readonly appended: readonly { readonly stored: StoredEvent }[];
}

function weightOf({ events, deadLetters }: AppendBatch): number {
  return events.length + deadLetters.length;
}

async function readStored(
  collections: LogCollections,
  after: number,
  limit: number,
  charsMax?: number,
): Promise<StoredEvent[]> {
  const rows = await readTexts(collections, after, limit, charsMax);
  return rows.map(readEvent);
}

async function readTexts(
  { events, positions }: LogCollections,
  after: number,
  limit: number,
  charsMax = Number.POSITIVE_INFINITY,
): Promise<StoredText[]> {
  const list = createBoundedList<StoredText>(({ text }) => text.length, charsMax);
  const rows = events.find(
    { _id: positions.after(after) },
    {
      projection: { receivedAt: 1, eventId: 1, body: 1 },
      sort: { _id: 1 },
      limit,
      batchSize: Math.min(limit, readEventsMax),
    },
  );
  for await (const { _id, receivedAt, eventId, body } of rows) {
    const position = positions.positionOf(_id);
    if (!list.add({ position, receivedAtMs: receivedAt.getTime(), eventId, text: body })) break;
  }
  return list.items;
}
