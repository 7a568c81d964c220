/**
 * Compare-and-append: inserts new events in order, right after the head that this appender knows.
 * The unique keys on position and event id refuse what another process inserted there first, so two
 * appenders can never interleave wrongly, whatever a lease says. The keys also reveal known events;
 * the log is asked for them beforehand only when there were some just before.
 *
 * Guarantees: each event is in the log once; positions have no gaps; a failed group may have left
 * its leading events, never a later event without the earlier ones. After a failure nothing is
 * assumed: the head is read again.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { LedgerEvent } from '@pi-ledger/contract';
import { LedgerError } from '../../../errors.ts';
import type { AppendBatch, AppendResult } from '../../../log/log.ts';
import type { StoredEvent } from '../../../log/stored-event.ts';
import { insertedBeforeDuplicate } from '../write-errors.ts';
import type { EventDocument, LogCollections } from './collections.ts';

/** The right to append, from a lease. */
export interface AppendRight {
  /** Asks no server. */
  isHeld(): boolean;
  /** Asks the server. */
  confirm(): Promise<boolean>;
}

interface Appended {
  readonly stored: StoredEvent;
  readonly textChars: number;
}

export interface Appender {
  /**
   * One result per batch, and the new events in order. Throws `standing_by` without the right, and
   * errors of the store.
   */
  append(
    batches: readonly AppendBatch[],
  ): Promise<{ readonly results: readonly AppendResult[]; readonly appended: readonly Appended[] }>;
  /** Position of the newest event that this appender knows; null when it must be read. */
  head(): number | null;
  /** Makes the next append read the head. */
  forget(): void;
}

/** How many collisions with other appenders a group may have. */
const collisionsMax = 8;
const afterCollisionMs = 25;

export function createAppender(
  { events, positions }: Pick<LogCollections, 'events' | 'positions'>,
  right: AppendRight,
  idMin: () => string,
): Appender {
  let head: number | null = null;
  /** True when the last offer contained known events, or may have: the next one may too. */
  let asksFirst = false;

  function requireRight(): void {
    if (!right.isHeld()) throw new LedgerError('standing_by');
  }

  /** The offers that the log does not know, as far as it was asked. */
  async function missingOf(offers: ReadonlyMap<string, Offer>): Promise<Offer[]> {
    if (!asksFirst) return [...offers.values()];
    const ids = [...offers.keys()];
    const rows = await events
      .find(
        { eventId: { $in: ids } },
        { projection: { _id: 0, eventId: 1 }, batchSize: ids.length },
      )
      .toArray();
    const known = new Set(rows.map(({ eventId }) => eventId));
    return [...offers.values()].filter(({ event }) => !known.has(event.id));
  }

  /** Number of leading documents inserted before a unique key refused one. */
  async function insert(documents: readonly EventDocument[]): Promise<number> {
    const last = documents.at(-1);
    head = null;
    try {
      await events.insertMany(documents, { ordered: true });
      if (last !== undefined) head = positions.positionOf(last._id);
      return documents.length;
    } catch (error) {
      const inserted = insertedBeforeDuplicate(error);
      if (inserted === null) throw error;
      return inserted;
    }
  }

  /**
   * Inserts until the log has every event; returns the positions of those that this call inserted.
   */
  async function insertNew(offers: ReadonlyMap<string, Offer>): Promise<Map<string, number>> {
    const own = new Map<string, number>();
    for (let collisions = 0; collisions <= collisionsMax; collisions += 1) {
      const missing = await missingOf(offers);
      if (missing.length === 0) return own;
      const after = head ?? (await readHead({ events, positions }));
      requireRight();
      const documents = missing.map((offer, index) =>
        toDocument(offer, positions.idOf(after + 1 + index)),
      );
      const inserted = await insert(documents);
      for (const { eventId, _id } of documents.slice(0, inserted))
        own.set(eventId, positions.positionOf(_id));
      if (inserted === documents.length) return own;
      asksFirst = true;
      if (!(await right.confirm())) throw new LedgerError('standing_by');
      await sleep(collisions * afterCollisionMs);
    }
    throw new Error('Other processes keep appending to the log: gave up after several attempts.');
  }

  return {
    async append(batches) {
      requireRight();
      const floor = idMin();
      const offers = firstOfEach(batches, floor);
      try {
        const positions = offers.size === 0 ? new Map<string, number>() : await insertNew(offers);
        asksFirst = positions.size < offers.size;
        return {
          results: countByBatch(batches, offers, positions, floor),
          appended: inOrder(offers, positions),
        };
      } catch (error) {
        head = null;
        asksFirst = true;
        throw error;
      }
    },
    head: () => head,
    forget() {
      head = null;
    },
  };
}

/** Position of the newest event; 0 when there is none. */
export async function readHead({
  events,
  positions,
}: Pick<LogCollections, 'events' | 'positions'>): Promise<number> {
  const [newest] = await events
    .find({ _id: positions.after(0) }, { projection: { _id: 1 }, sort: { _id: -1 }, limit: 1 })
    .toArray();
  return newest === undefined ? 0 : positions.positionOf(newest._id);
}

interface Offer {
  readonly event: LedgerEvent;
  readonly text: string;
  readonly receivedAtMs: number;
  /** Index of the first batch that contains it. */
  readonly batch: number;
}

function firstOfEach(batches: readonly AppendBatch[], idMin: string): Map<string, Offer> {
  const offers = new Map<string, Offer>();
  for (const [batch, { receivedAtMs, events, eventTexts }] of batches.entries()) {
    for (const [index, event] of events.entries()) {
      if (offers.has(event.id) || event.id < idMin) continue;
      offers.set(event.id, {
        event,
        text: eventTexts?.[index] ?? JSON.stringify(event),
        receivedAtMs,
        batch,
      });
    }
  }
  return offers;
}

function toDocument({ event, text, receivedAtMs }: Offer, _id: bigint): EventDocument {
  const { id, type, source, subject, time, sequence, ownership } = event;
  return {
    _id,
    eventId: id,
    receivedAt: new Date(receivedAtMs),
    type,
    source,
    subject,
    time: new Date(time),
    ...(sequence === undefined ? {} : { sequence: BigInt(sequence) }),
    ...(ownership === undefined ? {} : { ownership }),
    body: text,
  };
}

function countByBatch(
  batches: readonly AppendBatch[],
  offers: ReadonlyMap<string, Offer>,
  positions: ReadonlyMap<string, number>,
  idMin: string,
): AppendResult[] {
  const appended = batches.map(() => 0);
  for (const id of positions.keys()) {
    const batch = offers.get(id)?.batch ?? 0;
    appended[batch] = (appended[batch] ?? 0) + 1;
  }
  return batches.map(({ events }, batch) => {
    const expired = events.filter(({ id }) => id < idMin).length;
    const added = appended[batch] ?? 0;
    return {
      appended: added,
      duplicates: events.length - added - expired,
      ...(expired === 0 ? {} : { expired }),
    };
  });
}

function inOrder(
  offers: ReadonlyMap<string, Offer>,
  positions: ReadonlyMap<string, number>,
): Appended[] {
  const appended: Appended[] = [];
  for (const [id, position] of positions) {
    const offer = offers.get(id);
    if (offer === undefined) continue;
    const { event, text, receivedAtMs } = offer;
    appended.push({ stored: { position, receivedAtMs, event }, textChars: text.length });
  }
  return appended.toSorted((a, b) => a.stored.position - b.stored.position);
}
