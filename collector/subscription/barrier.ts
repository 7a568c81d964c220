/** Keeps every view at one position of the log while they are read there. */
import type { StoredEvent } from '../log/stored-event.ts';
import type { ProjectionProcessor } from './projection-processor.ts';

export interface BarrierWork<Result> {
  /** Appends an event and returns its position. The loop reads nothing meanwhile. */
  mark(): Promise<number>;
  work(): Promise<Result>;
}

interface Barrier {
  /** One at a time. */
  add<Result>(work: BarrierWork<Result>): Promise<Result>;
  isSet(): boolean;
  /** Between two reads; not while a view has what is withdrawn. Never rejects. */
  begin(): Promise<void>;
  /** The events up to it. */
  cut(events: readonly StoredEvent[]): readonly StoredEvent[];
  /** Does the work when all views have reached it. Never rejects. */
  settle(): Promise<void>;
  reject(error: Error): void;
}

interface Pending {
  readonly asked: BarrierWork<unknown>;
  /** It is null before `mark` has returned. */
  position: number | null;
  readonly promise: PromiseWithResolvers<unknown>;
}

export function createBarrier(processors: readonly ProjectionProcessor[]): Barrier {
  let pending: Pending | null = null;

  function end(settle: (promise: Pending['promise']) => void): void {
    const ended = pending;
    pending = null;
    if (ended !== null) settle(ended.promise);
  }

  const reject = (error: unknown): void => end((promise) => promise.reject(error));

  return {
    add<Result>(asked: BarrierWork<Result>) {
      if (pending !== null) return Promise.reject(new Error('There is a barrier already.'));
      pending = { asked, position: null, promise: Promise.withResolvers<unknown>() };
      return pending.promise.promise as Promise<Result>;
    },
    isSet: () => pending !== null,
    async begin() {
      if (pending === null || pending.position !== null) return;
      if (processors.some((each) => each.isOutdated())) return;
      try {
        pending.position = await pending.asked.mark();
      } catch (error) {
        reject(error);
      }
    },
    cut(events) {
      const last = pending?.position ?? Number.POSITIVE_INFINITY;
      return (events.at(-1)?.position ?? 0) <= last
        ? events
        : events.filter(({ position }) => position <= last);
    },
    async settle() {
      if (pending === null) return;
      const { position, asked } = pending;
      const failure = processors.map((each) => each.failure()).find((each) => each !== null);
      if (failure !== undefined) return reject(failure);
      if (position === null || processors.some((each) => each.live()?.committed() !== position))
        return;
      try {
        const result = await asked.work();
        end((promise) => promise.resolve(result));
      } catch (error) {
        reject(error);
      }
    },
    reject,
  };
}
