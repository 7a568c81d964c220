/**
 * The only loop: reads the log, folds what it read into every projection, commits the views.
 *
 * Guarantees: every projection folds every event once, in the log's order, whatever fails in
 * between (a commit moves rows and checkpoint together). A projection without a view, or with one
 * of another version, other settings or another shape, is folded anew beside it, and the views are
 * swapped when the new one has caught up. It commits at once when there is little to do, and in
 * larger batches when it is behind or events keep coming. Between batches it leaves the thread to
 * others. A store that fails is tried again, ever more slowly, until it answers. An event that a
 * projection cannot fold is set aside for that projection, reported and counted (follower.ts); it
 * stops neither the loop nor the others.
 *
 * Does not: keep another process from writing (that is the store's lock; a view that moved under it
 * is noticed, and read again).
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Log } from '../log/log.ts';
import type { Projection } from '../projections/projection.ts';
import { createRest } from '../timers/interruptible-delay.ts';
import type { SetAsideList, Views } from '../views/views.ts';
import { createHolding, type Hold } from './barrier.ts';
import { DamagedViewError, type Follower } from './generation-fold.ts';
import { createTrack, type Left, type Rebuilt, type Track } from './projection-processor.ts';
import { createWaiters } from './waiters.ts';

export interface ProjectionState {
  readonly projection: string;
  /** Folded and committed, in the view that queries see. */
  readonly position: number;
  readonly head: number;
  /** How far a rebuild has come; null when there is none. */
  readonly rebuildPosition: number | null;
  /** Events that the view was committed without, because they cannot be folded. */
  readonly setAside: SetAsideList;
}

export interface Subscription {
  /**
   * Resolves when the log's head as of now is committed in every projection. Rejects with the
   * store's error when a read or commit fails meanwhile (it is tried again all the same), and when
   * a projection or the subscription has stopped.
   */
  catchUp(): Promise<void>;
  /** There is something new in the log. Never throws, never blocks; call it after each append. */
  wake(): void;
  /**
   * Folds a projection anew beside its view and swaps them. Rejects as `catchUp` does; after a
   * store error it goes on all the same.
   */
  rebuild(projectionName: string): Promise<Rebuilt>;
  state(): Promise<readonly ProjectionState[]>;
  /**
   * Why the views do not advance: the store's error while it is tried again, or a projection that
   * stopped for good.
   */
  failure(): Error | null;
  /** Commits what is folded and ends the loop. Never rejects. */
  stop(): Promise<void>;
  /**
   * Calls `mark`, which appends an event and says where it stands, and then `work`, while every
   * view stands exactly there: with all before it and it, and nothing after. Rejects as `catchUp`
   * does, and with what the two throw. One at a time.
   */
  hold<Result>(hold: Hold<Result>): Promise<Result>;
}

export interface SubscriptionOptions {
  readonly log: Log;
  readonly views: Views;
  readonly projections: readonly Projection[];
  /** Folded before a commit at most. */
  readonly batchEventsMax?: number;
  /** Documents kept in memory between batches, by the length of their text, per projection. */
  readonly memoryCharsMax?: number;
  readonly monotonicMs?: () => number;
  /**
   * Each failure of the store, and events that a projection had to set aside (of many, the first).
   * Must not throw.
   */
  onError(error: unknown): void;
}

/**
 * The larger a batch, the less often the document of a busy session is written; what is folded and
 * not committed is folded again after a crash.
 */
const batchEventsMaxDefault = 20_000;
/** Read and folded in one go, some milliseconds; then the thread is free for others. */
const readEventsMaxDefault = 1_000;
/** Of their texts: events can be large. */
const readCharsMax = 8 * 1024 * 1024;
const commitIntervalMs = 100;
const memoryCharsMaxDefault = 8 * 1024 * 1024;
/** Named in a state; the others are counted. */
export const setAsideShown = 10;
const retryMsMin = 100;
const retryMsMax = 5_000;

export function createSubscription(options: SubscriptionOptions): Subscription {
  const {
    log,
    views,
    projections,
    batchEventsMax = batchEventsMaxDefault,
    memoryCharsMax = memoryCharsMaxDefault,
    onError,
  } = options;
  const { monotonicMs = () => performance.now() } = options;
  const readEventsMax = Math.min(readEventsMaxDefault, batchEventsMax);
  const pendingEventsMax = batchEventsMax - readEventsMax;
  const tracks = projections.map((projection) =>
    createTrack({
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
  const waiters = createWaiters(tracks);
  const holding = createHolding(tracks);
  const rest = createRest();
  let running: Promise<void> | null = null;
  let isWoken = false;
  let isStopped = false;
  let storeError: Error | null = null;
  let failures = 0;

  function wake(): void {
    isWoken = true;
    if (isStopped || running !== null) return;
    // What wakes it between its last look and its end must not be missed.
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
        failures = 0;
        if (left === 'nothing') return;
        if (left === 'uncommitted') await restFor(commitIntervalMs);
        else await nextTurn();
      } catch (error) {
        await fail(asError(error));
      }
    }
  }

  async function step(): Promise<Left> {
    for (const track of tracks) await track.open();
    await holding.begin();
    const caughtUp = await feed(tracks.flatMap((track) => track.followers()));
    for (const track of tracks)
      await track.settle({ caughtUp, isUrgent: waiters.areWaiting() || holding.isHeld() });
    waiters.settle();
    await holding.settle();
    const left = holding.isHeld()
      ? (['events'] as const)
      : tracks.map((track) => track.left(caughtUp));
    return (
      left.find((each) => each === 'events') ??
      left.find((each) => each === 'uncommitted') ??
      'nothing'
    );
  }

  /**
   * One read for all that stand at the same place, folded by each. Those that have reached the
   * log's end.
   */
  async function feed(hungry: readonly Follower[]): Promise<Set<Follower>> {
    const caughtUp = new Set<Follower>();
    for (const [after, followers] of Map.groupBy(hungry, (follower) => follower.position())) {
      const read = await log.read(after, readEventsMax, readCharsMax);
      await dropOutdated();
      const events = holding.cut(read);
      const last = events.at(-1)?.position ?? after;
      const isEnd =
        events.length < read.length || (read.length < readEventsMax && last >= (await log.head()));
      for (const follower of followers.filter(isFollowing)) {
        await follower.fold(events);
        if (isEnd && follower.position() === last) caughtUp.add(follower);
      }
    }
    return caughtUp;
  }

  /** After the read: what was deleted before it is missing in what was read. */
  async function dropOutdated(): Promise<void> {
    if (tracks.every((track) => track.building() === null)) return;
    const seal = await log.history.seal();
    for (const track of tracks) track.expectSeal(seal);
  }

  function isFollowing(follower: Follower): boolean {
    return tracks.some((track) => track.live() === follower || track.building() === follower);
  }

  async function fail(error: Error): Promise<void> {
    storeError = error;
    for (const track of tracks) {
      track.reset();
      track.abandon(error);
      if (error instanceof DamagedViewError && error.projection === track.projection.name)
        track.replace();
    }
    waiters.reject(error);
    holding.reject(error);
    onError(error);
    isWoken = true;
    await restFor(Math.min(retryMsMax, retryMsMin * 2 ** failures));
    failures += 1;
  }

  async function restFor(ms: number): Promise<void> {
    if (!isStopped && !waiters.areWaiting() && !holding.isHeld()) await rest.pause(ms);
  }

  return {
    async catchUp() {
      if (isStopped) throw stopped();
      const target = await log.head();
      // It may have stopped meanwhile, and then nobody would settle the wait.
      if (isStopped) throw stopped();
      const caughtUp = waiters.add(target);
      rest.end();
      wake();
      return caughtUp;
    },
    wake,
    rebuild(projectionName) {
      const track = tracks.find(({ projection }) => projection.name === projectionName);
      if (track === undefined)
        return Promise.reject(new Error(`There is no projection ${projectionName}.`));
      if (isStopped) return Promise.reject(stopped());
      const rebuilt = track.rebuild();
      wake();
      return rebuilt;
    },
    hold(hold) {
      if (isStopped) return Promise.reject(stopped());
      const result = holding.add(hold);
      rest.end();
      wake();
      return result;
    },
    async state() {
      const head = await log.head();
      return Promise.all(tracks.map((track) => stateOf(track, views, head)));
    },
    failure: () =>
      storeError ??
      tracks.map((track) => track.failure()).find((failure) => failure !== null) ??
      null,
    async stop() {
      isStopped = true;
      rest.end();
      await running;
      for (const track of tracks) {
        await track.finish().catch(onError);
        track.abandon(stopped());
      }
      waiters.reject(stopped());
      holding.reject(stopped());
    },
  };
}

async function stateOf(track: Track, views: Views, head: number): Promise<ProjectionState> {
  const live = track.live();
  const building = track.building();
  return {
    projection: track.projection.name,
    position: live?.committed() ?? (await views.live(track.projection))?.checkpoint ?? 0,
    head,
    rebuildPosition: building?.committed() ?? null,
    setAside: await views.setAside(track.projection, setAsideShown),
  };
}

function stopped(): Error {
  return new Error('The subscription has stopped.');
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
