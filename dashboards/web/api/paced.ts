/** Does again what has been asked for, with time between: a busy ledger changes all the time. */

export interface PacedOptions {
  /** False: it is to be done again. Never rejects. */
  act(): Promise<boolean>;
  readonly now: () => number;
  wait(ms: number): Promise<void>;
}

/** What takes long is done less often: a fifth of the time at most. */
const restPerWork = 4;
const restMsMin = 1_500;
/** After what was not done. */
const againMs = 5_000;

/**
 * Each call is followed by an act that begins after it, once for all calls meanwhile; two never run
 * at once.
 */
export function paced({ act, now, wait }: PacedOptions): () => void {
  let isWanted = false;
  let isRunning = false;
  async function run(): Promise<void> {
    isRunning = true;
    while (isWanted) {
      isWanted = false;
      const startedMs = now();
      const isDone = await act();
      if (!isDone) isWanted = true;
      const restMs = isDone ? restMsMin : againMs;
      await wait(Math.max(restMs, restPerWork * (now() - startedMs)));
    }
    isRunning = false;
  }
  return () => {
    isWanted = true;
    if (!isRunning) void run();
  };
}
