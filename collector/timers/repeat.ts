/**
 * Runs something now and then repeatedly, with a pause after each run.
 *
 * Contract: one run at a time; a run that rejects is reported, and the next one follows all the
 * same. The timer keeps no process alive. `stop` resolves when no run is under way and none
 * follows.
 */
export function repeatEvery(
  pauseMs: number,
  run: () => Promise<void>,
  onError: (error: unknown) => void,
): { stop(): Promise<void> } {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let current: Promise<void> = once();

  async function once(): Promise<void> {
    await run().catch(onError);
    if (stopped) return;
    timer = setTimeout(() => {
      current = once();
    }, pauseMs);
    timer.unref();
  }

  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await current;
    },
  };
}
