/**
 * A database whose operations all come to an end. The driver's own limits leave one out: a command
 * that it writes to a socket which is already destroyed waits for ever (heartbeats.ts says why),
 * and with it whatever waits for the command: the queue of appends, the fold.
 *
 * Guarantees: each operation, and each batch of a cursor, is answered or rejected within
 * `answerMsMax`; whether what was rejected was done is unknown. Does not bound what is reached by
 * other ways than collections and their cursors; a cursor's `map` is not for it.
 */
import { AbstractCursor, Collection, type Db } from 'mongodb';

export interface AnswerLimits {
  /** More than the driver's own limits add up to, for both tries that it gives an operation. */
  readonly answerMsMax: number;
  /** An operation had no end. Must not throw. */
  onLost(): void;
}

export interface AnsweredDatabase {
  readonly database: Db;
  /** Rejects what is under way: for when it is known that no answer will come. */
  giveUp(): void;
}

class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
}

export function answeredDatabase(
  bare: Db,
  { answerMsMax, onLost }: AnswerLimits,
): AnsweredDatabase {
  const underWay = new Set<() => void>();

  async function answered<Answer>(asked: Promise<Answer>): Promise<Answer> {
    const { promise: lost, reject } = Promise.withResolvers<never>();
    const abandon = (): void => {
      asked.catch(() => undefined); // it is rejected already, here
      reject(new NoAnswerError('MongoDB gave no answer, and the driver would wait for ever.'));
    };
    const timer = setTimeout(() => {
      abandon();
      onLost();
    }, answerMsMax);
    underWay.add(abandon);
    try {
      return await Promise.race([asked, lost]);
    } finally {
      clearTimeout(timer);
      underWay.delete(abandon);
    }
  }

  function wrap<Target extends object>(
    target: Target,
    replaced: Readonly<Record<PropertyKey, unknown>> = {},
  ): Target {
    const proxy: Target = new Proxy(target, {
      get(_, key) {
        if (Object.hasOwn(replaced, key)) return replaced[key];
        const value: unknown = Reflect.get(target, key, target);
        if (typeof value !== 'function') return value;
        return (...args: unknown[]) => {
          const result: unknown = value.apply(target, args);
          return result === target ? proxy : wrapResult(result);
        };
      },
    });
    return proxy;
  }

  function wrapResult(result: unknown): unknown {
    if (result instanceof Promise) return answered(result);
    if (result instanceof Collection) return wrap(result);
    return result instanceof AbstractCursor ? wrapCursor(result) : result;
  }

  function wrapCursor(cursor: AbstractCursor): AbstractCursor {
    async function* batches(): AsyncGenerator<unknown[], void> {
      try {
        while (await answered(cursor.hasNext())) yield cursor.readBufferedDocuments();
      } finally {
        await answered(cursor.close());
      }
    }
    return wrap(cursor, {
      async toArray() {
        const found: unknown[][] = [];
        for await (const batch of batches()) found.push(batch);
        return found.flat();
      },
      async *[Symbol.asyncIterator]() {
        for await (const batch of batches()) yield* batch;
      },
    });
  }

  return {
    database: wrap(bare),
    giveUp() {
      for (const abandon of underWay) abandon();
    },
  };
}
