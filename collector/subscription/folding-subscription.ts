/**
 * The only loop: reads the log, folds what it read into every projection, commits the views.
 *
 * Guarantees: every projection folds every event once, in the log's order, whatever fails in
 * between (a commit moves rows and checkpoint together). A projection without a view, or with one
 * of another version, other settings or another shape, is folded anew beside it, and the views are
 * swapped when the new one has caught up. It commits at once when there is little to do, and in
 * larger batches when it is behind or events keep arriving. Between batches it yields the thread. A
 * store that fails is tried again with growing pauses until it answers. An event that a projection
 * cannot fold is set aside for that projection, reported and counted (generation-fold.ts); it stops
 * neither the loop nor the others.
 *
 * Does not: keep another process from writing (the store's lock does; when another process moves a
 * view, that is noticed, and the view is read again).
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Log } from '../log/log.ts';
import type { Projection } from '../projections/projection.ts';
import { createBackoff } from '../timers/backoff.ts';
import { createInterruptibleDelay } from '../timers/interruptible-delay.ts';
import type { Views } from '../views/views.ts';
import { createBarrier } from './barrier.ts';
import { committedByAll, createCommitted } from './committed.ts';
import { DamagedViewError } from './damaged-view.ts';
import type { GenerationFold } from './generation-fold.ts';
import {
  createProjectionProcessor,
  type Left,
  type ProjectionProcessor,
} from './projection-processor.ts';
import type { Subscription } from './subscription.ts';
import { createWaiters } from './waiters.ts';

export interface FoldingSubscriptionOptions {
  readonly log: Log;
  readonly views: Views;
  readonly projections: readonly Projection[];
  /** Events folded between two commits, at most. */
  readonly batchEventsMax?: number;
  /** Documents kept in memory between batches, in characters, per projection. */
  readonly memoryCharsMax?: number;
  readonly monotonicMs?: () => number;
  /**
   * Called for each failure of the store, and for events that a projection sets aside (the first of
   * many). Must not throw.
   */
  onError(error: unknown): void;
}

/**
 * The larger a batch, the less often the document of a busy session is written; after a crash, what
 * was folded and not committed is folded again.
 */
const batchEventsMaxDefault = 20_000;
/** Read and folded without yielding the thread: some milliseconds. */
const readEventsMaxDefault = 1_000;
/** Their texts are bounded, too: events can be large. */
const readCharsMax = 8 * 1024 * 1024;
const commitIntervalMs = 100;
/** Each projection has so much, and in the heap up to four times that: `npm run bench -- soak`. */
export const memoryCharsMaxDefault = 4 * 1024 * 1024;

export function createFoldingSubscription(options: FoldingSubscriptionOptions): Subscription {
  const { log, onError, batchEventsMax = batchEventsMaxDefault } = options;
  const readEventsMax = Math.min(readEventsMaxDefault, batchEventsMax);
  const processors = createProcessors(options, batchEventsMax - readEventsMax);
  const waiters = createWaiters(processors);
  const barrier = createBarrier(processors);
  const committed = createCommitted(onError);
  const delay = createInterruptibleDelay();
  const backoff = createBackoff();
  let running: Promise<void> | null = null;
  let isWoken = false;
  let isStopped = false;
  let storeError: Error | null = null;

  function wake(): void {
    isWoken = true;
    if (isStopped || running !== null) return;
    // A wake between its last step and its end must not be missed.
    running = run().finally(() => {
      running = null;
      if (isWoken) wake();
    });
  }

  async function run(): Promise<void> {
    while (!isStopped) {
      isWoken = false;
      try {
        const left = await step();
        storeError = null;
        backoff.reset();
        if (left === 'nothing') return;
        if (left === 'uncommitted') await pause(commitIntervalMs);
        else await nextTurn();
      } catch (error) {
        await fail(asError(error));
      }
    }
  }

  async function step(): Promise<Left> {
    const { version } = await log.withdrawals();
    for (const processor of processors) await processor.open(version);
    await barrier.begin();
    const caughtUp = await feed(processors.flatMap((processor) => processor.folds()));
    const isUrgent = waiters.areWaiting() || barrier.isSet();
    for (const processor of processors) await processor.settle({ caughtUp, isUrgent });
    const position = committedByAll(processors);
    if (position !== null) committed.tell(position);
    waiters.settle();
    await barrier.settle();
    if (barrier.isSet()) return 'events';
    const left = processors.map((processor) => processor.left(caughtUp));
    return (
      left.find((each) => each === 'events') ??
      left.find((each) => each === 'uncommitted') ??
      'nothing'
    );
  }

  /**
   * Reads once for all folds at the same position. Returns those that have reached the log's end.
   */
  async function feed(hungry: readonly GenerationFold[]): Promise<Set<GenerationFold>> {
    const caughtUp = new Set<GenerationFold>();
    for (const [after, folds] of Map.groupBy(hungry, (fold) => fold.position())) {
      const read = await log.read(after, readEventsMax, readCharsMax);
      await dropOutdated();
      const events = barrier.cut(read);
      const last = events.at(-1)?.position ?? after;
      const isEnd =
        events.length < read.length || (read.length < readEventsMax && last >= (await log.head()));
      for (const fold of folds.filter(isFollowing)) {
        await fold.take(events);
        if (isEnd && fold.position() === last) caughtUp.add(fold);
      }
    }
    return caughtUp;
  }

  /** After the read: events that a newer seal let be deleted may be missing in it. */
  async function dropOutdated(): Promise<void> {
    if (processors.every((processor) => processor.building() === null)) return;
    const seal = await log.history.seal();
    for (const processor of processors) processor.expectSeal(seal);
  }

  function isFollowing(fold: GenerationFold): boolean {
    return processors.some((processor) => processor.folds().includes(fold));
  }

  async function fail(error: Error): Promise<void> {
    storeError = error;
    for (const processor of processors) {
      processor.reset();
      processor.abandon(error);
      if (error instanceof DamagedViewError && error.projection === processor.projection.name)
        processor.replace();
    }
    waiters.reject(error);
    barrier.reject(error);
    onError(error);
    isWoken = true;
    await pause(backoff.nextMs());
  }

  async function pause(ms: number): Promise<void> {
    if (!isStopped && !waiters.areWaiting() && !barrier.isSet()) await delay.wait(ms);
  }

  /** A caller waits: ends the pause. */
  function hurry<Result>(result: Promise<Result>): Promise<Result> {
    delay.interrupt();
    wake();
    return result;
  }

  return {
    async catchUp() {
      if (isStopped) throw stopped();
      const target = await log.head();
      // It may have stopped meanwhile, and then nothing would settle the promise.
      if (isStopped) throw stopped();
      return hurry(waiters.add(target));
    },
    wake,
    rebuild(projectionName) {
      const processor = processors.find(({ projection }) => projection.name === projectionName);
      if (processor === undefined)
        return Promise.reject(new Error(`There is no projection ${projectionName}.`));
      if (isStopped) return Promise.reject(stopped());
      const rebuilt = processor.rebuild();
      wake();
      return rebuilt;
    },
    atBarrier: (work) => (isStopped ? Promise.reject(stopped()) : hurry(barrier.add(work))),
    onCommitted: committed.listen,
    async state() {
      const head = await log.head();
      return Promise.all(processors.map((processor) => processor.state(head)));
    },
    failure: () =>
      storeError ?? processors.map((each) => each.failure()).find((each) => each !== null) ?? null,
    async stop() {
      isStopped = true;
      delay.interrupt();
      await running;
      for (const processor of processors) {
        await processor.finish().catch(onError);
        processor.abandon(stopped());
      }
      waiters.reject(stopped());
      barrier.reject(stopped());
    },
  };
}

function createProcessors(
  options: FoldingSubscriptionOptions,
  pendingEventsMax: number,
): readonly ProjectionProcessor[] {
  const { log, views, projections, onError } = options;
  const { memoryCharsMax = memoryCharsMaxDefault, monotonicMs = () => performance.now() } = options;
  return projections.map((projection) =>
    createProjectionProcessor({
      log,
      views,
      projection,
      pendingEventsMax,
      commitIntervalMs,
      memoryCharsMax,
      monotonicMs,
      onError,
    }),
  );
}

function stopped(): Error {
  return new Error('The subscription has stopped.');
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
