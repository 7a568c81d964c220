/**
 * Ingest: validate, append, acknowledge.
 *
 * Contract:
 * - `accept` never throws for what a producer sent: what is wrong is named in the ack and kept as a
 *   dead letter, in the transaction of the events beside it. It resolves only when all that it
 *   acknowledges is durable, and rejects when the store failed: nothing is acknowledged then, and
 *   the same body can be sent again.
 * - Events are appended in the order of the batch. Repetitions are harmless; one that names a
 *   better owner is settled (ownership.ts) before the ack.
 * - Dead letters are bounded (dead-letter-room.ts): what is not kept is said in the ack.
 * - A dead letter leaves only after its event is durable; dying in between makes the next retry a
 *   duplicate.
 * - Whom an attribution's sender is authenticated as (sender.ts) is said by the collector, in what
 *   is stored of it and in its dead letter.
 */
import {
  type Ack,
  type LedgerEvent,
  limits,
  type Rejection,
  type RejectionCode,
} from '@pi-ledger/contract';
import type { AppendBatch, AppendResult, DeadLetter, Log, SequencePlace } from '../log/log.ts';
import {
  createDeadLetterRoom,
  type DeadLetterBounds,
  type DeadLetterStanding,
} from './dead-letter-room.ts';
import { checkOwn, createEventCheck, type EventVerdict, latestTime } from './event-check.ts';
import { createOwnership } from './ownership.ts';
import { attest, refuseClaim, refusedFields, type Sender, someProducer } from './sender.ts';

interface RetryResult {
  readonly accepted: number;
  readonly duplicates: number;
  /** Rejected again: they stay where they are. */
  readonly rejected: number;
  /** Ids without a dead letter. */
  readonly unknown: number;
}

export interface Ingest {
  /**
   * At most `limits.batchEventsMax` events. `texts` are their JSON as it came, where it came as
   * JSON; a value whose text does not parse is undefined. Without a sender they are of a producer
   * that nobody authenticated.
   */
  accept(values: readonly unknown[], texts?: readonly string[], sender?: Sender): Promise<Ack>;
  /** As `accept`, of events that will be delivered once more: what is rejected is not kept. */
  preview(values: readonly unknown[], texts: readonly string[]): Promise<Ack>;
  /** As `Log.deadLetters`. */
  deadLetters(after: number, limit: number, charsMax?: number): Promise<readonly DeadLetter[]>;
  /** These, all that there are now, or those that were from the future by the collector's clock. */
  retryDeadLetters(which: readonly number[] | 'all' | 'future'): Promise<RetryResult>;
  deadLetterStanding(): DeadLetterStanding;
}

export interface IngestOptions {
  readonly log: Log;
  readonly now: () => number;
  /** Called after each append that brought something new. */
  onAppended(): void;
  readonly deadLetterBounds?: DeadLetterBounds;
}

export function createIngest({ log, now, onAppended, deadLetterBounds }: IngestOptions): Ingest {
  const check = createEventCheck();
  const room = createDeadLetterRoom(log, deadLetterBounds);
  const ownership = createOwnership(log);

  async function append(
    sorted: Sorted,
    receivedAtMs: number,
    keepRejected: boolean,
  ): Promise<AppendResult> {
    const refused = keepRejected ? sorted.rejected.flatMap(({ value }) => placeOf(value)) : [];
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

  /** What there is room for; of the others the ack says that they are not kept. */
  async function keep(rejected: Rejected[]): Promise<AppendBatch['deadLetters']> {
    const letters = rejected.map(toDeadLetter);
    const kept = await room.take(letters);
    for (const [index, isKept] of kept.entries()) {
      const each = rejected[index];
      if (!isKept && each !== undefined)
        rejected[index] = { ...each, message: `${each.message} ${notKept}` };
    }
    return letters.filter((_, index) => kept[index]);
  }

  function sort(
    values: readonly unknown[],
    texts: readonly string[],
    nowMs: number,
    senderOf: (index: number) => Sender,
  ): Sorted {
    const sorted: Sorted = { events: [], texts: [], rejected: [] };
    const latest = latestTime(nowMs);
    for (const [index, value] of values.entries()) {
      const text = texts[index] ?? '';
      const sender = senderOf(index);
      // Before all else: a dead letter that is refused for another reason then carries no claim.
      const verdict =
        refuseClaim(value, sender) ?? (isTooLarge(text) ? tooLarge : judge(value, latest, sender));
      if (verdict.kind === 'rejected')
        sorted.rejected.push({
          ...verdict,
          index,
          text: attest({ value, text }, sender).text,
          value,
        });
      else {
        const attested = attest({ value: verdict.event, text }, sender);
        sorted.events.push(attested.value);
        sorted.texts.push(attested.text);
      }
    }
    return sorted;
  }

  function judge(value: unknown, latest: string, sender: Sender): EventVerdict {
    return sender.is === 'importer' ? checkOwn(value as LedgerEvent, latest) : check(value, latest);
  }

  async function retry(letters: readonly DeadLetter[]): Promise<Omit<RetryResult, 'unknown'>> {
    const receivedAtMs = now();
    const texts = letters.map(({ body }) => body);
    const sorted = sort(texts.map(parseEvent), texts, receivedAtMs, (index) =>
      senderOf(letters[index]),
    );
    const { appended, duplicates } = await append(sorted, receivedAtMs, false);
    const stay = new Set(sorted.rejected.map(({ index }) => index));
    const gone = letters.filter((_, index) => !stay.has(index));
    await log.removeDeadLetters(gone.map(({ id }) => id));
    room.forget(gone);
    return { accepted: appended, duplicates, rejected: stay.size };
  }

  async function take(
    values: readonly unknown[],
    texts: readonly string[],
    keepRejected: boolean,
    sender: Sender,
  ): Promise<Ack> {
    const receivedAtMs = now();
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
    preview: (values, texts) => take(values, texts, false, someProducer),
    deadLetters: (after, limit, charsMax) => log.deadLetters(after, limit, charsMax),
    deadLetterStanding: () => room.standing(),
    async retryDeadLetters(which) {
      const result = { accepted: 0, duplicates: 0, rejected: 0, unknown: 0 };
      if (which === 'all') await room.look();
      const codes = await room.codes();
      if (which === 'future' && !codes.get(futureCode)) return result;
      const all = [...codes.values()].reduce((sum, count) => sum + count, 0);
      for await (const { letters, unknown } of typeof which === 'string'
        ? lettersOf(log, which, all)
        : namedLetters(log, which)) {
        const { accepted, duplicates, rejected } = await retry(letters);
        result.accepted += accepted;
        result.duplicates += duplicates;
        result.rejected += rejected;
        result.unknown += unknown;
      }
      return result;
    },
  };
}

const futureCode: RejectionCode = 'time_in_future';
const notKept = 'It is not kept: there is no room for more dead letters.';

/** As the envelope has it. */
const sourceCharsMax = 200;

/** How many dead letters are in hand at once. */
const lettersMax = 1_000;
const lettersCharsMax = 8 * 1024 * 1024;

interface Sorted {
  readonly events: LedgerEvent[];
  /** The events' JSON, in the same order. */
  readonly texts: string[];
  readonly rejected: Rejected[];
}

type Rejected = Extract<EventVerdict, { kind: 'rejected' }> & {
  readonly index: number;
  readonly text: string;
  readonly value: unknown;
};

const tooLarge: EventVerdict = {
  kind: 'rejected',
  code: 'too_large',
  field: '',
  message: `An event has at most ${limits.eventBytesMax} bytes.`,
};

function isTooLarge(text: string): boolean {
  // A UTF-16 unit takes at most 3 bytes in UTF-8: most events need no counting.
  return text.length * 3 > limits.eventBytesMax && Buffer.byteLength(text) > limits.eventBytesMax;
}

function toRejection({ index, code, field, message }: Rejected): Rejection {
  return { index, code, field, message };
}

function toDeadLetter({
  code,
  field,
  message,
  text,
}: Rejected): AppendBatch['deadLetters'][number] {
  return { code, field, message, body: isTooLarge(text) ? cut(text) : text };
}

/** Of an event that is refused, where it says that much of itself. */
function placeOf(value: unknown): SequencePlace[] {
  const { source, sequence } = (value ?? {}) as {
    readonly source?: unknown;
    readonly sequence?: unknown;
  };
  if (typeof source !== 'string' || source === '' || source.length > sourceCharsMax) return [];
  return typeof sequence === 'string' && /^\d{10}$/.test(sequence) ? [{ source, sequence }] : [];
}

function cut(text: string): string {
  return Buffer.from(text).subarray(0, limits.eventBytesMax).toString();
}

/**
 * What a dead letter says of its sender was put there when it came, unless that was why it was
 * refused.
 */
function senderOf(letter: DeadLetter | undefined): Sender {
  return letter !== undefined && refusedFields.has(letter.field) ? someProducer : { is: 'record' };
}

interface Letters {
  readonly letters: readonly DeadLetter[];
  readonly unknown: number;
}

/** Those that there were at the beginning: more may come all the while. */
async function* lettersOf(
  log: Log,
  which: 'all' | 'future',
  countMax: number,
): AsyncGenerator<Letters> {
  let after = 0;
  for (let seen = 0; seen < countMax; ) {
    const letters = await log.deadLetters(after, lettersMax, lettersCharsMax);
    const last = letters.at(-1);
    if (last === undefined) return;
    yield {
      letters: which === 'all' ? letters : letters.filter(({ code }) => code === futureCode),
      unknown: 0,
    };
    after = last.id;
    seen += letters.length;
  }
}

async function* namedLetters(log: Log, ids: readonly number[]): AsyncGenerator<Letters> {
  const wanted = [...new Set(ids)];
  for (let from = 0; from < wanted.length; from += lettersMax) {
    const letters: DeadLetter[] = [];
    const chunk = wanted.slice(from, from + lettersMax);
    for (const id of chunk) {
      const [letter] = await log.deadLetters(id - 1, 1);
      if (letter?.id === id) letters.push(letter);
    }
    yield { letters, unknown: chunk.length - letters.length };
  }
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
