/**
 * Ingest: validate, append, acknowledge.
 *
 * Contract:
 * - `accept` does not throw for what a producer sent: the ack names each problem, and the rejected
 *   event is kept as a dead letter, in the same transaction as the accepted ones. It resolves when
 *   all that it acknowledges is durable. It rejects when the store fails: nothing is acknowledged
 *   then, and the same body can be sent again.
 * - Events are appended in the order of the batch. Duplicates are harmless; one that names a better
 *   owner is settled (ownership.ts) before the ack.
 * - Dead letters are bounded (dead-letter-room.ts); the ack says which are not kept.
 * - A dead letter is removed only after its event is durable. A crash in between makes the next
 *   retry a duplicate.
 * - The collector adds the authenticated user of an attribution's sender (sender.ts) to what is
 *   stored, dead letters included.
 */
import type { Ack } from '@pi-ledger/contract';
import type { AppendBatch, AppendResult, DeadLetter, Log } from '../log/log.ts';
import { chunksOfAll, chunksOfIds, futureCode } from './dead-letter-chunks.ts';
import {
  createDeadLetterRoom,
  type DeadLetterBounds,
  type DeadLetterStatus,
} from './dead-letter-room.ts';
import type { Refused } from './kafka/records.ts';
import { createOwnership, type OwnershipSettling } from './ownership.ts';
import { removeReadable, type UnreadLetters } from './readable-letters.ts';
import { refusedFields, type Sender, someProducer } from './sender.ts';
import {
  createBatchSorter,
  type RejectedEvent,
  type SortedBatch,
  sequencePlaces,
  toDeadLetter,
  toRejection,
} from './sorted-batch.ts';

interface RetryResult {
  readonly accepted: number;
  readonly duplicates: number;
  /** Rejected again; they stay dead letters. */
  readonly rejected: number;
  /** Ids without a dead letter. */
  readonly unknown: number;
  /** Between which ids nothing can be read. */
  readonly unread: readonly UnreadLetters[];
  /** They stay dead letters, since a part of the store beside them is damaged. */
  readonly kept: number;
}

type RemoveResult = Pick<RetryResult, 'unknown' | 'unread' | 'kept'> & { readonly removed: number };

export interface Ingest {
  /**
   * At most `limits.batchEventsMax` events. `texts` are their JSON as received; a value whose text
   * does not parse is undefined. The default sender is an unauthenticated producer.
   */
  accept(values: readonly unknown[], texts?: readonly string[], sender?: Sender): Promise<Ack>;
  /** As `accept`, for what a gateway has received then, and attested. */
  acceptForwarded(texts: readonly string[], receivedAtMs: number): Promise<Ack>;
  /** Keeps what a gateway has refused then, as far as there is room. */
  keepRefused(refused: readonly Refused[], receivedAtMs: number): Promise<void>;
  /** As `accept`, for events that will be delivered again: rejected ones are not kept. */
  preview(values: readonly unknown[], texts: readonly string[]): Promise<Ack>;
  /** As `Log.deadLetters`. */
  deadLetters(after: number, limit: number, charsMax?: number): Promise<readonly DeadLetter[]>;
  /** These ids, all there are now, or those rejected for a time in the collector's future. */
  retryDeadLetters(which: readonly number[] | 'all' | 'future'): Promise<RetryResult>;
  /** These ids, or all there are now. What they held is gone. */
  removeDeadLetters(which: readonly number[] | 'all'): Promise<RemoveResult>;
  deadLetterStatus(): DeadLetterStatus;
}

export interface IngestOptions {
  readonly log: Log;
  readonly now: () => number;
  /** Called after each append that stored something new. */
  onAppended(): void;
  readonly deadLetterBounds?: DeadLetterBounds;
  /** Default: in this log. */
  readonly ownership?: OwnershipSettling;
}

export function createIngest({
  log,
  now,
  onAppended,
  deadLetterBounds,
  ownership = createOwnership(log),
}: IngestOptions): Ingest {
  const sort = createBatchSorter();
  const room = createDeadLetterRoom(log, deadLetterBounds);

  async function append(
    sorted: SortedBatch,
    receivedAtMs: number,
    keepRejected: boolean,
  ): Promise<AppendResult> {
    const refused = keepRejected ? sequencePlaces(sorted.rejected) : [];
    const deadLetters = keepRejected ? await keep(sorted.rejected) : [];
    if (sorted.events.length + deadLetters.length + refused.length === 0)
      return { appended: 0, duplicates: 0 };
    const batch: AppendBatch = {
      receivedAtMs,
      events: sorted.events,
      eventTexts: sorted.texts,
      deadLetters,
      refused,
    };
    try {
      const result = await log.append(batch);
      const moved = await ownership.settle(sorted.events, receivedAtMs, result.duplicates === 0);
      if (result.appended + moved > 0) onAppended();
      return result;
    } catch (error) {
      room.giveBack(deadLetters);
      throw error;
    }
  }

  /** Those that there is room for; the ack says of the others that they are not kept. */
  async function keep(rejected: RejectedEvent[]): Promise<AppendBatch['deadLetters']> {
    const letters = rejected.map(toDeadLetter);
    const kept = await room.take(letters);
    for (const [index, isKept] of kept.entries()) {
      const each = rejected[index];
      if (!isKept && each !== undefined)
        rejected[index] = { ...each, message: `${each.message} ${notKept}` };
    }
    return letters.filter((_, index) => kept[index]);
  }

  async function retry(
    letters: readonly DeadLetter[],
  ): Promise<Omit<RetryResult, 'unknown' | 'unread'>> {
    const receivedAtMs = now();
    const texts = letters.map(({ body }) => body);
    const sorted = sort(texts.map(parseEvent), texts, receivedAtMs, (index) =>
      letterSender(letters[index]),
    );
    const { appended, duplicates } = await append(sorted, receivedAtMs, false);
    const stay = new Set(sorted.rejected.map(({ index }) => index));
    const kept = await remove(letters.filter((_, index) => !stay.has(index)));
    return { accepted: appended, duplicates, rejected: stay.size, kept };
  }

  /** How many are left, because of damage beside them. */
  async function remove(letters: readonly DeadLetter[]): Promise<number> {
    const kept = await removeReadable(log, letters);
    room.forget(letters.filter((letter) => !kept.has(letter)));
    return kept.size;
  }

  /** Counts anew if all are wanted: another process may have changed them. */
  async function splitIntoChunks(which: readonly number[] | 'all' | 'future') {
    if (typeof which !== 'string') return chunksOfIds(log, which);
    if (which === 'all') await room.recount();
    const codes = await room.codes();
    if (which === 'future' && !codes.get(futureCode)) return [];
    const all = [...codes.values()].reduce((sum, count) => sum + count, 0);
    return chunksOfAll(log, which, all);
  }

  async function take(
    values: readonly unknown[],
    texts: readonly string[],
    keepRejected: boolean,
    sender: Sender,
    receivedAtMs = now(),
  ): Promise<Ack> {
    const sorted = sort(values, texts, receivedAtMs, () => sender);
    const { appended, duplicates, expired = 0 } = await append(sorted, receivedAtMs, keepRejected);
    return { accepted: appended, duplicates, expired, rejected: sorted.rejected.map(toRejection) };
  }

  return {
    accept: (
      values,
      texts = values.map((value) => JSON.stringify(value) ?? ''),
      sender = someProducer,
    ) => take(values, texts, true, sender),
    acceptForwarded: (texts, receivedAtMs) =>
      take(texts.map(parseEvent), texts, true, { is: 'record' }, receivedAtMs),
    async keepRefused(refused, receivedAtMs) {
      const letters = refused.map(({ letter }) => letter);
      const kept = await room.take(letters);
      const deadLetters = letters.filter((_, index) => kept[index]);
      const places = refused.flatMap(({ place }) => (place === null ? [] : [place]));
      try {
        await log.append({ receivedAtMs, events: [], deadLetters, refused: places });
      } catch (error) {
        room.giveBack(deadLetters);
        throw error;
      }
    },
    preview: (values, texts) => take(values, texts, false, someProducer),
    deadLetters: (after, limit, charsMax) => log.deadLetters(after, limit, charsMax),
    deadLetterStatus: () => room.status(),
    async retryDeadLetters(which) {
      const unread: UnreadLetters[] = [];
      const result = { accepted: 0, duplicates: 0, rejected: 0, unknown: 0, unread, kept: 0 };
      for await (const { letters, unknown, ...chunk } of await splitIntoChunks(which)) {
        const { accepted, duplicates, rejected, kept } = await retry(letters);
        result.accepted += accepted;
        result.duplicates += duplicates;
        result.rejected += rejected;
        result.kept += kept;
        result.unknown += unknown;
        unread.push(...chunk.unread);
      }
      return result;
    },
    async removeDeadLetters(which) {
      const unread: UnreadLetters[] = [];
      const result = { removed: 0, unknown: 0, unread, kept: 0 };
      for await (const { letters, unknown, ...chunk } of await splitIntoChunks(which)) {
        const kept = await remove(letters);
        result.kept += kept;
        result.removed += letters.length - kept;
        result.unknown += unknown;
        unread.push(...chunk.unread);
      }
      return result;
    },
  };
}

const notKept = 'It is not kept: there is no room for more rejected events.';

/**
 * What a dead letter says of its sender was added when it arrived, unless that is why it was
 * rejected.
 */
function letterSender(letter: DeadLetter | undefined): Sender {
  return letter !== undefined && refusedFields.has(letter.field) ? someProducer : { is: 'record' };
}

/** Undefined when it is not JSON. */
export function parseEvent(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
