/**
 * The worker's door: takes in what gateways handed on, as if it had come over HTTP.
 *
 * Contract: records are of one partition. `take` resolves when all of them are durable, so that
 * their offset may be committed; records that come again are duplicates. A record that is no event
 * becomes a dead letter. While the store fails it tries again, until `signal` aborts; then it
 * rejects.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type LedgerEvent, limits } from '@pi-ledger/contract';
import { createBackoff } from '../../timers/backoff.ts';
import type { Ingest } from '../ingest.ts';
import type { IncomingRecord } from './kafka.ts';
import { claimIn, type Refused, receivedAtOf, refusedIn, type Topics } from './records.ts';

export interface DoorOptions {
  /**
   * What takes in the records of a partition: resolves when this worker may append to its cell, and
   * rejects when the signal aborts.
   */
  ingestOf(partition: number, signal: AbortSignal): Promise<DoorIngest>;
  /** Settles who owns these, once the cell is led; absent: no topic has claims. */
  readonly settle?: SettleClaims;
  readonly topics: Topics;
  readonly now: () => number;
  onError(error: unknown): void;
}

type DoorIngest = Pick<Ingest, 'acceptForwarded' | 'keepRefused'>;

export type SettleClaims = (
  events: readonly LedgerEvent[],
  receivedAtMs: number,
  signal: AbortSignal,
) => Promise<void>;

export type TakeRecords = (
  records: readonly IncomingRecord[],
  signal: AbortSignal,
) => Promise<void>;

export function createDoor({ ingestOf, settle, topics, now, onError }: DoorOptions): TakeRecords {
  async function takeOnce(records: readonly IncomingRecord[], signal: AbortSignal): Promise<void> {
    const [first] = records;
    if (first === undefined) return;
    const ingest = await ingestOf(first.partition, signal);
    if (first.topic === topics.claims) return settleAll(records, signal);
    await Promise.all(
      [...runsOf(records, now())].map(([receivedAtMs, run]) => takeRun(ingest, run, receivedAtMs)),
    );
  }

  /** In their order: a later claim may follow from what an earlier one came to. */
  async function settleAll(records: readonly IncomingRecord[], signal: AbortSignal): Promise<void> {
    for (const record of records) {
      const claimed = claimIn(record);
      if (claimed !== null) await settle?.([claimed], receivedAtOf(record) ?? now(), signal);
    }
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

  return async (records, signal) => {
    const backoff = createBackoff();
    for (let isSaid = false; ; isSaid = true) {
      signal.throwIfAborted();
      try {
        return await takeOnce(records, signal);
      } catch (error) {
        if (signal.aborted) throw error;
        if (!isSaid) onError(error);
        await sleep(backoff.nextMs(), undefined, { signal }).catch(() => undefined);
      }
    }
  };
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
