/**
 * Finds the withdrawals in a MongoDB database. Their ids are noted before they are appended, so a
 * withdrawal that is in the log is always found; one that died on the way says nothing.
 */

import type { AppendBatch } from '../../../log/log.ts';
import { readEvent, type StoredEvent } from '../../../log/stored-event.ts';
import {
  createWithdrawals,
  isWithdrawal,
  noWithdrawals,
  type Withdrawals,
} from '../../../log/withdrawals.ts';
import type { LogCollections } from './collections.ts';

export interface MongodbWithdrawals {
  /** Those that are in force; asks the server. */
  current(): Promise<Withdrawals>;
  /** Ids of withdrawals, in the log or not. */
  noted(): Promise<readonly string[]>;
  note(batches: readonly AppendBatch[]): Promise<void>;
}

export function createMongodbWithdrawals({
  withdrawals,
  events,
  positions,
}: LogCollections): MongodbWithdrawals {
  let known = { found: '', withdrawals: noWithdrawals };

  async function noted(): Promise<readonly string[]> {
    return (await withdrawals.find({}).toArray()).map(({ _id }) => _id);
  }

  async function read(ids: readonly string[]): Promise<readonly StoredEvent[]> {
    const rows = await events
      .find({ eventId: { $in: [...ids] }, _id: positions.after(0) })
      .toArray();
    return rows.map(({ _id, receivedAt, eventId, body }) =>
      readEvent({
        position: positions.positionOf(_id),
        receivedAtMs: receivedAt.getTime(),
        eventId,
        text: body,
      }),
    );
  }

  return {
    noted,
    async current() {
      const ids = await noted();
      if (ids.length === 0) return noWithdrawals;
      const stored = await read(ids);
      const found = stored
        .map(({ event }) => event.id)
        .toSorted()
        .join();
      if (found !== known.found) known = { found, withdrawals: createWithdrawals(stored) };
      return known.withdrawals;
    },
    async note(batches) {
      const ids = batches.flatMap(({ events }) => events.filter(isWithdrawal)).map(({ id }) => id);
      for (const _id of ids)
        await withdrawals.updateOne({ _id }, { $setOnInsert: { _id } }, { upsert: true });
    },
  };
}
