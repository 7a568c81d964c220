/**
 * The log in a SQLite file (`node:sqlite`).
 *
 * Implements log.ts. Durable: in WAL mode with synchronous FULL, a commit is on disk before the
 * append resolves. Appends that arrive together share a transaction (group-commit.ts). A full disk
 * rejects the appends of that transaction; the next append that fits succeeds.
 *
 * The store's lock (lock.ts) keeps a second process from writing, not this module. If one writes
 * all the same, nothing is overwritten and positions stay without gaps, since each transaction
 * reads the newest position first.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { RejectionCode } from '@pi-ledger/contract';
import { createGroupCommit } from '../../../log/group-commit.ts';
import type { AppendBatch, AppendResult, DeadLetter, Log, StoredOwner } from '../../../log/log.ts';
import { readEvent, type StoredEvent } from '../../../log/stored-event.ts';
import { createTail, type Tail } from '../../../log/tail.ts';
import { applyWithdrawals } from '../../../log/withdrawals.ts';
import { type DatabasePlace, watchPlace } from '../place.ts';
import { createSqliteHistory, type SqliteHistory } from './history.ts';
import { openLogStore } from './open-store.ts';
import { prepareReads, readBounded, readHead } from './reads.ts';
import { createSqliteReceipts, type SqliteReceipts } from './receipts.ts';
import { createSqliteWithdrawals, type SqliteWithdrawals } from './withdrawals.ts';

export interface SqliteLog extends Log {
  readonly storeId: string;
  readonly createdAtMs: number;
}

export interface SqliteLogOptions {
  readonly path: string;
  /** For a process without the store's lock: appends are rejected. */
  readonly readOnly?: boolean;
  readonly now?: () => number;
}

const groupEventsMax = 5_000;
const waitingEventsMax = 50_000;
const tailEventsMax = 10_000;
const tailCharsMax = 8 * 1024 * 1024;

/** Throws as `openLogStore` does. */
export function openSqliteLog({
  path,
  readOnly = false,
  now = Date.now,
}: SqliteLogOptions): SqliteLog {
  const { database, storeId, createdAtMs } = openLogStore({ path, readOnly, now });
  const place = watchPlace(path);
  const tail = createTail({ eventsMax: tailEventsMax, charsMax: tailCharsMax });
  const transaction = <Result>(write: () => Result): Result => transact(database, place, write);
  const history = createSqliteHistory({
    database,
    transact: transaction,
    onExpired: () => tail.clear(),
  });
  const withdrawals = createSqliteWithdrawals(database);
  const appends = createGroupCommit({
    commit: createCommit({ database, transaction, tail, history, withdrawals }),
    weigh: ({ events, deadLetters }: AppendBatch) => events.length + deadLetters.length,
    groupWeightMax: groupEventsMax,
    waitingWeightMax: waitingEventsMax,
  });
  const receipts = createSqliteReceipts(database);
  const reading = prepareReads(database);

  return {
    history,
    storeId,
    createdAtMs,
    append: (batch) =>
      readOnly ? Promise.reject(new Error('The log was opened read-only.')) : appends.add(batch),
    async read(after, limit, charsMax) {
      const read =
        tail.read(after, limit, charsMax) ?? reading.texts(after, limit, charsMax).map(readEvent);
      return applyWithdrawals(read, withdrawals.current());
    },
    async readTexts(after, limit, charsMax) {
      return reading.texts(after, limit, charsMax);
    },
    async withdrawals() {
      return withdrawals.current();
    },
    async owners(eventIds) {
      return reading.owners.all(JSON.stringify(eventIds)) as unknown as StoredOwner[];
    },
    async head() {
      return readHead(reading.head);
    },
    async receipts(sources) {
      return receipts.read(sources);
    },
    async deadLetters(after, limit, charsMax) {
      return readBounded<DeadLetter>(
        reading.deadLetters,
        after,
        limit,
        ({ body }) => body.length,
        charsMax,
      );
    },
    async removeDeadLetters(ids) {
      transaction(() => {
        for (const id of ids) reading.removeDeadLetter.run(id);
      });
    },
    async close() {
      await appends.close();
      if (database.isOpen) database.close();
    },
  };
}

interface CommitOptions {
  readonly database: DatabaseSync;
  transaction<Result>(write: () => Result): Result;
  readonly tail: Tail;
  readonly history: SqliteHistory;
  readonly withdrawals: SqliteWithdrawals;
}

/** One transaction for a group of batches; the tail gets the events once they are durable. */
function createCommit({
  database,
  transaction,
  tail,
  history,
  withdrawals,
}: CommitOptions): (batches: readonly AppendBatch[]) => AppendResult[] {
  const writing = {
    head: database.prepare('SELECT max(position) AS head FROM events'),
    // Only the id may collide: a taken position means a second writer, and must fail.
    event: database.prepare(
      `INSERT INTO events (position, id, received_at_ms, event) VALUES (?, ?, ?, ?)
       ON CONFLICT (id) DO NOTHING`,
    ),
    deadLetter: database.prepare(
      `INSERT INTO dead_letters (received_at_ms, code, field, message, body)
       VALUES (?, ?, ?, ?, ?)`,
    ),
    receipts: createSqliteReceipts(database),
    withdrawals,
  };
  return (batches) => {
    const appended: Appended[] = [];
    const results = transaction(() => {
      const idMin = history.idMin();
      return batches.map((batch) => appendBatch(writing, batch, idMin, appended));
    });
    for (const { stored, textChars } of appended) tail.push(stored, textChars);
    return results;
  };
}

interface Writing {
  readonly head: StatementSync;
  readonly event: StatementSync;
  readonly deadLetter: StatementSync;
  readonly receipts: SqliteReceipts;
  readonly withdrawals: SqliteWithdrawals;
}

interface Appended {
  readonly stored: StoredEvent;
  readonly textChars: number;
}

function appendBatch(
  writing: Writing,
  batch: AppendBatch,
  idMin: string,
  appended: Appended[],
): AppendResult {
  const { receivedAtMs, events, eventTexts, deadLetters } = batch;
  const first = readHead(writing.head) + 1;
  let position = first;
  let expired = 0;
  for (const [index, event] of events.entries()) {
    if (event.id < idMin) {
      expired += 1;
      continue;
    }
    const text = eventTexts?.[index] ?? JSON.stringify(event);
    if (writing.event.run(position, event.id, receivedAtMs, text).changes === 0) continue;
    appended.push({ stored: { position, receivedAtMs, event }, textChars: text.length });
    position += 1;
  }
  for (const { code, field, message, body } of deadLetters)
    writing.deadLetter.run(receivedAtMs, code satisfies RejectionCode, field, message, body);
  writing.withdrawals.note(events);
  writing.receipts.record(batch.refused === undefined ? events : [...events, ...batch.refused]);
  const added = position - first;
  return {
    appended: added,
    duplicates: events.length - added - expired,
    ...(expired === 0 ? {} : { expired }),
  };
}

/**
 * SQLite may have rolled back by itself, after SQLITE_FULL for instance. A commit into a file that
 * is gone is not acknowledged.
 */
function transact<Result>(
  database: DatabaseSync,
  place: DatabasePlace,
  write: () => Result,
): Result {
  place.expectHeld();
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = write();
    database.exec('COMMIT');
    place.expectHeld();
    return result;
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}
