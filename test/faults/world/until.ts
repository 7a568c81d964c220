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
