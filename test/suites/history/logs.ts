/** Logs that fail or pause where a test wants it. */
import type { Log } from '../../../collector/log/log.ts';

/** Rejects at the n-th write of a seal, once before it is done and once after. */
export function failingLog(log: Log): { readonly log: Log; failAt(step: number | null): void } {
  let left: number | null = null;
  async function step<Result>(work: () => Promise<Result>): Promise<Result> {
    if (left === null) return work();
    const now = left;
    left -= 1;
    if (now === 0) throw new Error('The store failed before.');
    const result = await work();
    left -= 1;
    if (now === 1) throw new Error('The store failed after.');
    return result;
  }
  const { history } = log;
  return {
    log: {
      ...log,
      append: (batch) => step(() => log.append(batch)),
      history: {
        ...history,
        enforce: (seal) => step(() => history.enforce(seal)),
        expire: (limit, untilMs) => step(() => history.expire(Math.min(limit, 40), untilMs)),
      },
    },
    failAt(number) {
      left = number;
    },
  };
}

/** A log whose reading can be paused from some position on. */
export function gatedLog(log: Log) {
  let closed: PromiseWithResolvers<void> | null = null;
  let closesAfter = Number.POSITIVE_INFINITY;
  let reached = Promise.withResolvers<void>();
  let before = async (): Promise<void> => undefined;
  const gated: Log = {
    ...log,
    async read(after, limit) {
      // The live view is at the end, and may continue.
      if (closed !== null && after >= closesAfter && after < (await log.head()) - 50) {
        reached.resolve();
        await closed.promise;
      }
      return log.read(after, limit);
    },
    history: {
      ...log.history,
      async enforce(seal) {
        await before();
        await log.history.enforce(seal);
      },
    },
  };
  return {
    log: gated,
    closeAfter(position: number): void {
      closesAfter = position;
      closed = Promise.withResolvers<void>();
      reached = Promise.withResolvers<void>();
    },
    isClosed: () => reached.promise,
    open(): void {
      closed?.resolve();
      closed = null;
    },
    beforeEnforcing(work: () => Promise<void>): void {
      before = work;
    },
  };
}
