/**
 * Seals in MongoDB, and the deletion that they allow: of all but withdrawals, which hold for what
 * comes later, too. The seal in force is the document `seal` of `meta`.
 *
 * Each take-over of the log increases `epoch`; a seal is enforced only in the epoch of its
 * collector. So a suspended collector cannot enforce a floor that its successor does not know.
 */
import { createBoundedList } from '../../../log/bounded-list.ts';
import { floorId, type History, type Seal, sealedType } from '../../../log/history.ts';
import { readEvent } from '../../../log/stored-event.ts';
import type { EventDocument, LogCollections } from './collections.ts';
import type { Positions } from './positions.ts';

export interface MongodbHistory extends History {
  /**
   * Events with lower ids are not stored; empty when there is no floor. As of the last `takeOver`
   * or `enforce`.
   */
  idMin(): string;
  takeOver(): Promise<void>;
}

export interface MongodbHistoryOptions {
  readonly collections: Pick<LogCollections, 'events' | 'positions' | 'seals'>;
  /** Ids of events that are never deleted. */
  kept(): Promise<readonly string[]>;
  /** Resolves when every append begun so far has ended. */
  settleAppends(): Promise<void>;
  /** Drops events from memory: they may have been deleted. */
  onExpired(): void;
}

export function createMongodbHistory({
  collections,
  kept,
  settleAppends,
  onExpired,
}: MongodbHistoryOptions): MongodbHistory {
  const { events, positions, seals } = collections;
  let epoch = 0n;
  let idMin = '';

  function keep(seal: Seal | null): void {
    idMin = seal === null ? '' : floorId(seal.floorMs);
  }

  async function inForce(): Promise<Seal | null> {
    return (await seals.findOne({ _id: 'seal' }))?.seal ?? null;
  }

  /** For other cells: this one refuses what is below. */
  async function settle({ floorMs }: Seal): Promise<void> {
    await seals.updateOne({ _id: 'seal', epoch }, { $set: { settledFloorMs: floorMs } });
  }

  /** The `_id` of some events that may be deleted. */
  async function covered(
    { floorMs, first, superseded }: Seal,
    limit: number,
    untilMs: number,
  ): Promise<readonly bigint[]> {
    const options = { projection: { _id: 1 }, limit } as const;
    const old = await events
      .find(
        {
          eventId: { $lt: floorId(Math.min(floorMs, untilMs)), $nin: [...(await kept())] },
          _id: positions.before(first),
        },
        options,
      )
      .toArray();
    if (old.length > 0 || superseded === null) return old.map(({ _id }) => _id);
    const range = {
      $gte: positions.idOf(superseded.first),
      $lte: positions.idOf(Math.min(superseded.last, first - 1)),
    };
    const parts = await events.find({ _id: range, type: sealedType }, options).toArray();
    return parts.map(({ _id }) => _id);
  }

  return {
    idMin: () => idMin,
    seal: inForce,
    async takeOver() {
      const taken = await seals.findOneAndUpdate(
        { _id: 'seal' },
        { $inc: { epoch: 1n } },
        { returnDocument: 'after' },
      );
      if (taken === null) throw new Error('The record of seals is missing.');
      epoch = taken.epoch;
      keep(taken.seal);
      if (taken.seal !== null) await settle(taken.seal);
    },
    async positionOf(eventId) {
      const found = await events.findOne(
        { eventId, _id: positions.after(0) },
        { projection: { _id: 1 } },
      );
      return found === null ? null : positions.positionOf(found._id);
    },
    async below(floorMs, before, afterId, limit, charsMax = Number.POSITIVE_INFINITY) {
      const filter = {
        eventId: { $gt: afterId, $lt: floorId(floorMs) },
        _id: positions.before(before),
      };
      const list = createBoundedList<Found>(({ body }) => body.length, charsMax);
      const projection = { receivedAt: 1, eventId: 1, body: 1 };
      for await (const row of events.find(filter, {
        projection,
        sort: { eventId: 1 },
        limit,
        batchSize: limit,
      }))
        if (!list.add(row)) break;
      return list.items.map((found) => toStored(found, positions));
    },
    async countBelow(floorMs) {
      const eventId = { $lt: floorId(floorMs), $nin: [...(await kept())] };
      return events.countDocuments({ eventId, _id: positions.after(0) });
    },
    async enforce(seal) {
      const isNewer = { $or: [{ seal: null }, { 'seal.first': { $lt: seal.first } }] };
      const { matchedCount } = await seals.updateOne(
        { _id: 'seal', epoch, ...isNewer },
        { $set: { seal } },
      );
      if (matchedCount === 0)
        throw new Error('A newer seal is in force, or another collector has taken the log over.');
      keep(seal);
      await settleAppends();
      await settle(seal);
    },
    async settledFloorMs() {
      return (await seals.findOne({ _id: 'seal' }))?.settledFloorMs ?? 0;
    },
    async expire(limit, untilMs = Number.MAX_SAFE_INTEGER) {
      const seal = await inForce();
      const ids = seal === null ? [] : await covered(seal, limit, untilMs);
      if (ids.length === 0) return 0;
      const { deletedCount } = await events.deleteMany({ _id: { $in: [...ids] } });
      onExpired();
      // Another process may have deleted them first; there may be more.
      return Math.max(1, deletedCount);
    },
  };
}

type Found = Pick<EventDocument, '_id' | 'receivedAt' | 'eventId' | 'body'>;

function toStored({ _id, receivedAt, eventId, body }: Found, positions: Positions) {
  return readEvent({
    position: positions.positionOf(_id),
    receivedAtMs: receivedAt.getTime(),
    eventId,
    text: body,
  });
}
