import { setTimeout as sleep } from 'node:timers/promises';

/** Ends what hangs; nothing is timed by it. */
const waitMsMax = 600_000;

/** Asks again and again; a question that fails counts as no. Rejects after `waitMsMax`. */
export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  { pollMs = 20, withinMs = waitMsMax } = {},
): Promise<void> {
  const endMs = performance.now() + withinMs;
  let failure: unknown = null;
  while (performance.now() < endMs) {
    try {
      if (await holds()) return;
      failure = null;
    } catch (error) {
      failure = error;
    }
    await sleep(pollMs);
  }
  const why = failure === null ? '' : `: ${String(failure)}`;
  throw new Error(`waited ${withinMs / 1_000} s in vain until ${what}${why}`);
}

/** Waits as long as there is less and less; rejects when that has not changed for `restMs`. */
export async function untilNone(
  what: string,
  left: () => number | Promise<number>,
  { restMs = waitMsMax } = {},
): Promise<void> {
  let least = Number.POSITIVE_INFINITY;
  while (least > 0)
    await until(
      `fewer ${what}, of ${least}`,
      async () => {
        const now = await left();
        const isFewer = now < least;
        least = Math.min(least, now);
        return isFewer;
      },
      { withinMs: restMs },
    );
}
