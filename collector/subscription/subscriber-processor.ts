/**
 * Hands the log to one subscriber, up to where every view has committed it.
 *
 * Contract: a subscriber that fails is tried again from its checkpoint, with growing pauses, until
 * it succeeds. Neither a failing nor a slow one delays views or other subscribers. One batch is in
 * memory. Requests and views go first (`pace.ts`).
 */
import { errorText } from '@pi-ledger/core/text/error-text';
import type { Checkpoint, Checkpoints } from '../log/checkpoints.ts';
import type { Log } from '../log/log.ts';
import { createBackoff } from '../timers/backoff.ts';
import { createInterruptibleDelay } from '../timers/interruptible-delay.ts';
import { within } from '../timers/within.ts';
import { createPace } from './pace.ts';
import { recollect } from './recollection.ts';
import type { Subscriber, SubscriberBatch } from './subscriber.ts';

/** Remembers outside of the store how far subscribers were. */
export interface SubscriberMarks {
  /** Returns null when it is unknown. A checkpoint that is lower was put back, with its store. */
  of(name: string): number | null;
  /** Must not throw. */
  note(name: string, position: number): void;
}

export interface SubscriberProcessorOptions {
  readonly log: Pick<Log, 'read' | 'head'>;
  readonly checkpoints: Checkpoints;
  readonly subscriber: Subscriber;
  readonly marks?: SubscriberMarks;
  readonly batchEventsMax?: number;
  readonly paced?: typeof createPace;
  /** The first of several equal failures in a row. Must not throw. */
  onError(error: unknown): void;
  /** Where it begins, and what it passes over: a line for the log. Must not throw. */
  onNotice(message: string): void;
}

export interface SubscriberProcessor {
  /** Every view has committed the log up to there. Never throws. */
  advance(position: number): void;
  /** Why it does not advance; null: it does. */
  failure(): string | null;
  /** Events that were deleted before it read them. */
  passedOver(): number;
  /** Resolves when nothing of it runs any more, or when that takes too long. Never rejects. */
  stop(): Promise<void>;
}

const batchEventsMaxDefault = 1_000;
/** Their texts are bounded, too: events can be large. */
const batchCharsMax = 8 * 1024 * 1024;
/** When it stops, a subscriber gets this long to finish. */
const stopMsMax = 2_000;

export function createSubscriberProcessor(
  options: SubscriberProcessorOptions,
): SubscriberProcessor {
  const { log, checkpoints, subscriber, marks, onError, onNotice } = options;
  const { batchEventsMax = batchEventsMaxDefault, paced = createPace } = options;
  const { name } = subscriber;
  const stopping = new AbortController();
  const { signal } = stopping;
  const delay = createInterruptibleDelay();
  const backoff = createBackoff();
  const pace = paced({ wait: (ms) => delay.wait(ms), isStopping: () => signal.aborted });
  let target = 0;
  /** It is null until it is read. */
  let checkpoint: Omit<Checkpoint, 'name'> | null = null;
  let running: Promise<void> | null = null;
  let failure: string | null = null;
  let passedOver = 0;
  let idle: NodeJS.Timeout | undefined;
  let isIdle = false;

  const isBehind = (): boolean => checkpoint === null || checkpoint.position < target;

  function wake(): void {
    if (running !== null || signal.aborted) return;
    clearTimeout(idle);
    // An advance between its last step and its end must not be missed.
    running = run().finally(() => {
      running = null;
      if (isBehind()) wake();
      else rest();
    });
  }

  /** It has everything: it is told when that stays so. */
  function rest(): void {
    if (subscriber.idleMs === undefined || signal.aborted) return;
    idle = setTimeout(() => {
      isIdle = true;
      wake();
    }, subscriber.idleMs);
    idle.unref();
  }

  async function run(): Promise<void> {
    while (!signal.aborted && (isBehind() || isIdle)) {
      try {
        await step(checkpoint ?? (await begin()));
        failure = null;
        backoff.reset();
      } catch (error) {
        // Whether the checkpoint has moved is unknown: it is read again.
        checkpoint = null;
        if (signal.aborted) return;
        report(error);
        await delay.wait(backoff.nextMs());
      }
    }
  }

  async function step({ position, state }: Omit<Checkpoint, 'name'>): Promise<void> {
    checkpoint = { position, state };
    const isOnTime = !isBehind();
    if (isOnTime && !isIdle) return;
    if (!isOnTime) await pace.turn(target - position >= batchEventsMax);
    if (signal.aborted) return;
    const startedMs = performance.now();
    const batch = isOnTime ? { events: [], from: position, to: position } : await read(position);
    const next = await subscriber.handle(batch, signal, state);
    isIdle = false;
    if (!isOnTime || next !== undefined) await move(position, batch.to, next);
    checkpoint = { position: batch.to, state: next ?? state };
    pace.took(performance.now() - startedMs, isBehind());
    countDeleted(batch);
  }

  /** Positions have no gaps but where events were deleted. */
  function countDeleted({ events, from, to }: SubscriberBatch): void {
    const deleted = to - from - events.length;
    if (deleted === 0) return;
    passedOver += deleted;
    onNotice(
      `The subscriber ${name} passes over ${deleted} events between ${from} and ${to}: ` +
        'retention deleted them before it read them.',
    );
  }

  async function begin(): Promise<Omit<Checkpoint, 'name'>> {
    const known = await checkpoints.read(name);
    if (known !== null && !wasPutBack(known)) return known;
    if (known !== null) await checkpoints.drop(name);
    const first = subscriber.beginsAt === 'head' ? await log.head() : 0;
    const recalled = Math.min(first, target);
    const state = await recollect(
      { log, subscriber, signal, batchEventsMax, batchCharsMax },
      recalled,
    );
    await move(null, first, state ?? undefined);
    if (first > 0)
      onNotice(
        `The subscriber ${name} begins at the log's newest event, ${first}: ` +
          'what the store holds already is not exported.',
      );
    return { position: first, state };
  }

  function wasPutBack({ position }: Checkpoint): boolean {
    const mark = marks?.of(name) ?? null;
    if (mark === null || mark <= position) return false;
    onNotice(
      `The store was put back to an earlier state: the subscriber ${name} was at ${mark}, ` +
        `and its checkpoint says ${position}. It begins anew.`,
    );
    return true;
  }

  async function move(from: number | null, to: number, state?: string): Promise<void> {
    if ((await checkpoints.move(name, from, to, state)) === 'stale')
      throw new Error('Another process has moved its checkpoint.');
    marks?.note(name, to);
  }

  async function read(from: number): Promise<SubscriberBatch> {
    const last = target;
    const found = await log.read(from, batchEventsMax, batchCharsMax);
    const events = found.filter((event) => event.position <= last);
    const isWhole = events.length === found.length;
    return { events, from, to: isWhole ? (events.at(-1)?.position ?? last) : last };
  }

  function report(error: unknown): void {
    const message = errorText(error);
    if (message === failure) return;
    failure = message;
    onError(new Error(`The subscriber ${name} does not advance: ${message}`, { cause: error }));
  }

  return {
    advance(committed) {
      target = committed;
      wake();
    },
    failure: () => failure,
    passedOver: () => passedOver,
    async stop() {
      stopping.abort();
      clearTimeout(idle);
      delay.interrupt();
      if (running !== null) await within(stopMsMax, running);
    },
  };
}
