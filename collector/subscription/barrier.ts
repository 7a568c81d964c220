/** Keeps every view at one place of the log while somebody looks at them there. */
import type { StoredEvent } from '../log/stored-event.ts';
import type { Track } from './projection-processor.ts';

export interface Hold<Result> {
  /** Appends an event; its position. Nothing is read meanwhile. */
  mark(): Promise<number>;
  work(): Promise<Result>;
}

interface Holding {
  /** Rejects what cannot be done any more; one at a time. */
  add<Result>(hold: Hold<Result>): Promise<Result>;
  isHeld(): boolean;
  /** Between two reads. Never rejects. */
  begin(): Promise<void>;
  /** Without the events that stand after the place. */
  cut(events: readonly StoredEvent[]): readonly StoredEvent[];
  /** Does the work when all views stand at the place. Never rejects. */
  settle(): Promise<void>;
  reject(error: Error): void;
}

interface Held {
  readonly hold: Hold<unknown>;
  /** Null before it is marked. */
  position: number | null;
  readonly promise: PromiseWithResolvers<unknown>;
}

export function createHolding(tracks: readonly Track[]): Holding {
  let held: Held | null = null;

  function end(settle: (promise: Held['promise']) => void): void {
    const ended = held;
    held = null;
    if (ended !== null) settle(ended.promise);
  }

  const reject = (error: unknown): void => end((promise) => promise.reject(error));

  return {
    add<Result>(hold: Hold<Result>) {
      if (held !== null) return Promise.reject(new Error('The views are held already.'));
      held = { hold, position: null, promise: Promise.withResolvers<unknown>() };
      return held.promise.promise as Promise<Result>;
    },
    isHeld: () => held !== null,
    async begin() {
      if (held === null || held.position !== null) return;
      try {
        held.position = await held.hold.mark();
      } catch (error) {
        reject(error);
      }
    },
    cut(events) {
      const last = held?.position ?? Number.POSITIVE_INFINITY;
      return (events.at(-1)?.position ?? 0) <= last
        ? events
        : events.filter(({ position }) => position <= last);
    },
    async settle() {
      if (held === null) return;
      const { position, hold } = held;
      const failure = tracks.map((track) => track.failure()).find((each) => each !== null);
      if (failure !== undefined) return reject(failure);
      if (position === null || tracks.some((track) => track.live()?.committed() !== position))
        return;
      try {
        const result = await hold.work();
        end((promise) => promise.resolve(result));
      } catch (error) {
        reject(error);
      }
    },
    reject,
  };
}
