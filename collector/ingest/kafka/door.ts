/**
 * The worker's door: takes in what gateways handed on, as if it had come over HTTP.
 *
 * Contract: records are of one partition. `take` resolves when all of them are durable, so that
 * their offset may be committed; records that come again are duplicates. A record that is no event
 * becomes a dead letter. While the store fails it tries again, until `signal` aborts; then it
 * rejects.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { limits } from '@pi-ledger/contract';
import { createBackoff } from '../../timers/backoff.ts';
import type { Ingest } from '../ingest.ts';
import type { IncomingRecord } from './kafka.ts';
import { type Refused, receivedAtOf, refusedIn, type Topics } from './records.ts';

export interface DoorOptions {
  /** What takes in the records of a partition. */
  ingestOf(partition: number): DoorIngest;
  readonly topics: Topics;
  readonly now: () => number;
  onError(error: unknown): void;
}

type DoorIngest = Pick<Ingest, 'acceptForwarded' | 'keepRefused'>;

export type TakeRecords = (
  records: readonly IncomingRecord[],
  signal: AbortSignal,
) => Promise<void>;

export function createDoor({ ingestOf, topics, now, onError }: DoorOptions): TakeRecords {
  async function takeOnce(records: readonly IncomingRecord[]): Promise<void> {
    const [first] = records;
    if (first === undefined) return;
    const ingest = ingestOf(first.partition);
    await Promise.all(
      [...runsOf(records, now())].map(([receivedAtMs, run]) => takeRun(ingest, run, receivedAtMs)),
    );
  }

  async function takeRun(
    ingest: DoorIngest,
    run: readonly IncomingRecord[],
    receivedAtMs: number,
  ): Promise<void> {
    if (run[0]?.topic === topics.deadLetters)
      return ingest.keepRefused(run.map(refusedOf), receivedAtMs);
    for (const texts of batchesOf(run.map(({ value }) => value)))
      await ingest.acceptForwarded(texts, receivedAtMs);
  }

  return (records, signal) => untilDone(() => takeOnce(records), { signal, onError });
}

/** Tries again, with growing pauses, until the signal aborts; then it rejects. */
export async function untilDone(
  work: () => Promise<void>,
  { signal, onError }: { readonly signal: AbortSignal } & Pick<DoorOptions, 'onError'>,
): Promise<void> {
  const backoff = createBackoff();
  for (let isSaid = false; ; isSaid = true) {
    signal.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      if (signal.aborted) throw error;
      if (!isSaid) onError(error);
      await sleep(backoff.nextMs(), undefined, { signal }).catch(() => undefined);
    }
  }
}

/** Records that were received at the same time share an append. */
function runsOf(
  records: readonly IncomingRecord[],
  nowMs: number,
): Map<number, readonly IncomingRecord[]> {
  return Map.groupBy(records, (record) => receivedAtOf(record) ?? nowMs);
}

function refusedOf(record: IncomingRecord): Refused {
  return refusedIn(record) ?? { letter: strangeLetter(record.value), place: null };
}

function strangeLetter(text: string): Refused['letter'] {
  return {
    code: 'not_an_event',
    field: '',
    message: 'This record in the topic of dead letters is not from a gateway.',
    body: text.slice(0, limits.eventBytesMax / 4),
  };
}

function* batchesOf(texts: readonly string[]): Generator<readonly string[]> {
  for (let start = 0; start < texts.length; start += limits.batchEventsMax)
    yield texts.slice(start, start + limits.batchEventsMax);
}
