/** Stops a process in order, once, however many signals arrive. */
import { within } from '../timers/within.ts';

export interface Stopping {
  /** Resolves when it has stopped; false when it failed or took longer than `stopMsMax`. */
  readonly stopped: Promise<boolean>;
  stop(): Promise<boolean>;
}

const stopMsMax = 10_000;
/** Said when that is over: by then a store may not have answered, or a machine was too busy. */
export const stoppedLate =
  'It did not stop in order within 10 s. Nothing that was acknowledged is lost.';
const stopSignals = ['SIGTERM', 'SIGINT'] as const;

/**
 * `end` is called once, by a signal or by `stop`; when it rejects, that is reported and `stopped`
 * resolves to false. So is a stop that takes too long.
 */
export function stopOnSignals(
  end: () => Promise<void>,
  onError: (error: unknown) => void,
): Stopping {
  let stopping: Promise<boolean> | undefined;
  const { promise: stopped, resolve } = Promise.withResolvers<boolean>();
  const onSignal = (): void => {
    void stop();
  };

  function stop(): Promise<boolean> {
    stopping ??= stopOnce().then((isOrderly) => {
      for (const signal of stopSignals) process.off(signal, onSignal);
      resolve(isOrderly);
      return isOrderly;
    });
    return stopping;
  }

  async function stopOnce(): Promise<boolean> {
    try {
      if ((await within(stopMsMax, end())) === 'timeout') throw new Error(stoppedLate);
      return true;
    } catch (error) {
      onError(error);
      return false;
    }
  }

  // A terminal sends Ctrl-C to npm and to its children, and some pass it on: while it stops,
  // further signals are ignored.
  for (const signal of stopSignals) process.on(signal, onSignal);
  return { stopped, stop };
}
