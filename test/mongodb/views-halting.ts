/**
 * A database whose writes can be halted: to all others, that looks like a process that was
 * suspended or killed between two of them.
 */
import type { Collection, Db } from 'mongodb';

const writes = new Set([
  'insertOne',
  'insertMany',
  'updateOne',
  'updateMany',
  'replaceOne',
  'bulkWrite',
  'deleteMany',
  'findOneAndUpdate',
]);

export interface HaltingDatabase {
  readonly database: Db;
  /** Halts before the n-th write from now (0: the next one). */
  haltBefore(write: number): void;
  /** Resolves when it has halted, or when `work` ends without. */
  halted(work: Promise<unknown>): Promise<boolean>;
  goOn(): void;
}

export function haltingDatabase(real: Db): HaltingDatabase {
  let left = Number.POSITIVE_INFINITY;
  let stopped = Promise.withResolvers<void>();
  let gate = Promise.withResolvers<void>();

  async function pass(): Promise<void> {
    left -= 1;
    if (left >= 0) return;
    // All following writes wait as well: some are sent in parallel.
    stopped.resolve();
    await gate.promise;
  }

  const watched = (collection: Collection): Collection =>
    new Proxy(collection, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== 'function') return value;
        if (!writes.has(String(name))) return value.bind(target);
        return async (...args: unknown[]) => {
          await pass();
          return value.apply(target, args);
        };
      },
    });

  return {
    database: new Proxy(real, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== 'function') return value;
        return name === 'collection'
          ? (...args: unknown[]) => watched(value.apply(target, args) as Collection)
          : value.bind(target);
      },
    }),
    haltBefore(write) {
      left = write;
      stopped = Promise.withResolvers();
      gate = Promise.withResolvers();
    },
    halted: (work) => Promise.race([stopped.promise.then(() => true), work.then(() => false)]),
    goOn() {
      left = Number.POSITIVE_INFINITY;
      gate.resolve();
    },
  };
}

/** Looks sums up only after `first` is done. */
export function answeringAfter(real: Db, first: () => Promise<void>): Db {
  const late = (collection: Collection): Collection =>
    new Proxy(collection, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== 'function') return value;
        if (name !== 'aggregate') return value.bind(target);
        return async function* (...args: unknown[]) {
          await first();
          yield* value.apply(target, args);
        };
      },
    });
  return new Proxy(real, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return name === 'collection'
        ? (...args: unknown[]) => late(value.apply(target, args) as Collection)
        : value.bind(target);
    },
  });
}

/** Starts deletes only after `first` is done, and fails as it does. */
export function deletingAfter(real: Db, first: () => Promise<void>): Db {
  const late = (collection: Collection): Collection =>
    new Proxy(collection, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== 'function') return value;
        if (name !== 'deleteMany') return value.bind(target);
        return async (...args: unknown[]) => {
          await first();
          return value.apply(target, args);
        };
      },
    });
  return new Proxy(real, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return name === 'collection'
        ? (...args: unknown[]) => late(value.apply(target, args) as Collection)
        : value.bind(target);
    },
  });
}
