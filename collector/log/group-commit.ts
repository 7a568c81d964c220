/**
 * Group commit: items added during one turn of the event loop, or while a commit is running, are
 * committed together, so that they share one disk flush or one round trip.
 *
 * Contract:
 * - `add` resolves after the commit that included its item, rejects with that commit's error, and
 *   rejects at once when too much is waiting.
 * - Items are committed in the order they were added, and `commit` is never called while it is
 *   running.
 * - `close` commits the waiting items before it resolves; later items are refused.
 */

export interface GroupCommitOptions<Item, Result> {
  /** One result per item. When it throws, every item is rejected with the error. */
  commit(items: readonly Item[]): readonly Result[] | Promise<readonly Result[]>;
  /** The weight of an item, for the two limits. */
  weigh(item: Item): number;
  /** The maximum weight of a group; a single heavier item is a group of its own. */
  groupWeightMax: number;
  /**
   * The maximum weight of waiting items; further items are refused, so that senders slow down to
   * the speed of the store.
   */
  waitingWeightMax: number;
}

export interface GroupCommit<Item, Result> {
  add(item: Item): Promise<Result>;
  close(): Promise<void>;
}

export function createGroupCommit<Item, Result>(
  options: GroupCommitOptions<Item, Result>,
): GroupCommit<Item, Result> {
  let waiting: Waiting<Item, Result>[] = [];
  let waitingWeight = 0;
  let isScheduled = false;
  let running: Promise<void> | null = null;
  let closed = false;

  function schedule(): void {
    if (isScheduled || running !== null) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      void commitNext();
    });
  }

  /** Never rejects. */
  function commitNext(): Promise<void> {
    if (running !== null) return running;
    const group = takeGroup();
    if (group.length === 0) return Promise.resolve();
    running = settle(group, options.commit).then(() => {
      running = null;
      if (waiting.length > 0) schedule();
    });
    return running;
  }

  function takeGroup(): Waiting<Item, Result>[] {
    let weight = 0;
    let count = 0;
    for (const { weight: itemWeight } of waiting) {
      if (count > 0 && weight + itemWeight > options.groupWeightMax) break;
      weight += itemWeight;
      count += 1;
    }
    const group = waiting.slice(0, count);
    waiting = waiting.slice(count);
    waitingWeight -= weight;
    return group;
  }

  return {
    add(item) {
      if (closed) return Promise.reject(new Error('The log is closed.'));
      const weight = options.weigh(item);
      if (waiting.length > 0 && waitingWeight + weight > options.waitingWeightMax)
        return Promise.reject(
          new Error('Too many appends are waiting for the store: try again in a moment.'),
        );
      const { promise, resolve, reject } = Promise.withResolvers<Result>();
      waiting.push({ item, weight, resolve, reject });
      waitingWeight += weight;
      schedule();
      return promise;
    },
    async close() {
      closed = true;
      while (waiting.length > 0 || running !== null) await commitNext();
    },
  };
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly weight: number;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

async function settle<Item, Result>(
  group: readonly Waiting<Item, Result>[],
  commit: GroupCommitOptions<Item, Result>['commit'],
): Promise<void> {
  let results: readonly Result[];
  try {
    results = await commit(group.map(({ item }) => item));
    if (results.length !== group.length)
      throw new Error('A commit must return one result per item.');
  } catch (error) {
    for (const { reject } of group) reject(error);
    return;
  }
  for (const [index, { resolve }] of group.entries()) resolve(results[index] as Result);
}
