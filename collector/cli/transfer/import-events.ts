/**
 * Imports events of an export through ingest: each is checked like a new one, known events change
 * nothing, and refused events are kept as dead letters and reported here by line. They keep their
 * ids, JSON and order; their time of receipt is new. What the other ledger says of its own budgets
 * is left out: this one has other budgets, or watches the same ones itself.
 *
 * Works batch by batch: memory does not grow with the file. A failed batch is not in the log, or
 * only its leading events are; the import can be run again.
 */
import { type Ack, type LedgerEvent, limits, type Rejection } from '@pi-ledger/contract';
import { type Late, type LateEvents, type SealedTotals, sumLate } from '../../log/history.ts';
import { eventOfLine, type OfferedEvent } from './exported-line.ts';
import type { NumberedLine } from './line-stream.ts';

interface RefusedLine {
  readonly line: number;
  readonly code: Rejection['code'];
  readonly field: string;
  readonly message: string;
}

export interface EventsImported {
  readonly lines: number;
  readonly accepted: number;
  readonly duplicates: number;
  /** Events older than the seal, in the totals as far as they were there then. */
  readonly expired: number;
  /** What of `expired` is in no total; null: nobody may say. */
  readonly late: Late | null;
  readonly refused: number;
  /** What the other ledger said of its budgets, which are not this one's. */
  readonly leftOut: number;
  /** The first `refusedLinesMax` of them. */
  readonly refusedLines: readonly RefusedLine[];
}

export interface ImportEventsOptions {
  readonly lines: AsyncIterable<NumberedLine>;
  accept(values: readonly unknown[], texts: readonly string[]): Promise<Ack>;
  /** What is counted of deleted history; null: nothing was deleted, or nobody may say. */
  readSealedTotals(): Promise<SealedTotals | null>;
  /** By session: events that are in no total, because they are older than the seal. */
  noteLate?(bySession: ReadonlyMap<string, number>): void;
}

/**
 * An event of maximum size, what `export` writes around it, and some reserve, so that longer lines
 * are refused as too long.
 */
export const lineBytesMax = limits.eventBytesMax + 1_024;

const refusedLinesMax = 100;
const batchEventsMax = 1_000;
/**
 * A character takes at most three bytes: with one more event a body stays within
 * `limits.bodyBytesMax`.
 */
const batchCharsMax = 512 * 1024;

interface Offered extends OfferedEvent {
  readonly line: number;
}

/**
 * The same lines, once the first one that is not blank has turned out to be an event. Throws if it
 * is none, so that a file of another kind does not fill the dead letters.
 */
export async function expectEvents(
  lines: AsyncIterable<NumberedLine>,
  name: string,
): Promise<AsyncIterable<NumberedLine>> {
  const rest = lines[Symbol.asyncIterator]();
  const seen: NumberedLine[] = [];
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) {
    const { number, text } = next.value;
    seen.push(next.value);
    if (text.trim() === '') continue;
    if (isEvent(eventOfLine(text).value)) break;
    throw new Error(
      `${name} holds no events: its line ${number} is none. ` +
        'Give a file that `pi-ledger export` wrote. Nothing was imported.',
    );
  }
  return (async function* () {
    yield* seen;
    yield* { [Symbol.asyncIterator]: () => rest };
  })();
}

/** Whatever its type: a newer version may know it. */
function isEvent(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'specversion' in value && 'type' in value;
}

function isOfBudget(value: unknown): boolean {
  const { type } = (value ?? {}) as { readonly type?: unknown };
  return typeof type === 'string' && type.startsWith('pi.budget.');
}

/** Rejects when the store or the stream fails. */
export async function importEvents({
  lines,
  accept,
  readSealedTotals,
  noteLate,
}: ImportEventsOptions): Promise<EventsImported> {
  const counts = { lines: 0, accepted: 0, duplicates: 0, expired: 0, refused: 0, leftOut: 0 };
  const refusedLines: RefusedLine[] = [];
  const late = createLate(readSealedTotals);

  async function offer(all: readonly Offered[]): Promise<void> {
    const batch = all.filter(({ value }) => !isOfBudget(value));
    counts.lines += all.length;
    counts.leftOut += all.length - batch.length;
    if (batch.length === 0) return;
    const ack = await accept(
      batch.map(({ value }) => value),
      batch.map(({ text }) => text),
    );
    counts.accepted += ack.accepted;
    counts.duplicates += ack.duplicates;
    counts.expired += ack.expired;
    counts.refused += ack.rejected.length;
    if (ack.expired > 0) await late.add(batch, ack);
    for (const { index, code, field, message } of ack.rejected.slice(
      0,
      refusedLinesMax - refusedLines.length,
    )) {
      refusedLines.push({ line: batch[index]?.line ?? 0, code, field, message });
    }
  }

  for await (const batch of splitIntoBatches(lines)) await offer(batch);
  const inNoTotal = await late.inNoTotal();
  if (inNoTotal !== null && inNoTotal.size > 0) noteLate?.(inNoTotal);
  return { ...counts, late: inNoTotal === null ? null : sumLate(inNoTotal), refusedLines };
}

/** What is older than the seal, of the batches that have such events. */
function createLate(readSealedTotals: ImportEventsOptions['readSealedTotals']) {
  let events: LateEvents | null = null;
  let isAsked = false;
  return {
    async add(batch: readonly Offered[], { rejected }: Ack): Promise<void> {
      if (!isAsked) events = (await readSealedTotals())?.collect() ?? null;
      isAsked = true;
      const refused = new Set(rejected.map(({ index }) => index));
      for (const [index, { value, move }] of batch.entries())
        if (!refused.has(index)) events?.add(move ?? (value as LedgerEvent));
    },
    async inNoTotal(): Promise<ReadonlyMap<string, number> | null> {
      if (!isAsked) return new Map();
      return events === null ? null : events.inNoTotal();
    },
  };
}

/** Blank lines are skipped. */
async function* splitIntoBatches(
  lines: AsyncIterable<NumberedLine>,
): AsyncGenerator<readonly Offered[]> {
  let batch: Offered[] = [];
  let chars = 0;
  for await (const { number, text } of lines) {
    if (text.trim() === '') continue;
    const offered = eventOfLine(text);
    batch.push({ ...offered, line: number });
    chars += offered.text.length;
    if (batch.length < batchEventsMax && chars < batchCharsMax) continue;
    yield batch;
    batch = [];
    chars = 0;
  }
  if (batch.length > 0) yield batch;
}
