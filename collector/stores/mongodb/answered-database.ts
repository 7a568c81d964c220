/**
 * A database whose operations all end. The driver's own limits leave one case out: a command that
 * it writes to an already destroyed socket waits for ever (connection.ts explains why), and with it
 * whatever waits for the command: the queue of appends, the fold.
 *
 * Guarantees: each operation, and each batch of a cursor, is answered or rejected within
 * `answerMsMax`; whether a rejected operation was executed is unknown. Covers only collections and
 * their cursors, not other ways to the server; a cursor's `map` is not supported.
 */
import { AbstractCursor, Collection, type Db } from 'mongodb';

export interface AnswerLimits {
  /**
   * Must exceed the sum of the driver's own limits, for both attempts that it makes per operation.
   */
  readonly answerMsMax: number;
  /** Called when an operation did not end. Must not throw. */
  onLost(): void;
}

export interface AnsweredDatabase {
  readonly database: Db;
  /** Rejects pending operations, when it is known that no answer will come. */
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
      asked.catch(() => undefined); // already rejected below
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
