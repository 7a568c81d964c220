/**
 * All subscribers of a process. They are fed while it leads, between `start` and `stop`; on standby
 * their state is what the leader has stored.
 */
import type { Checkpoints } from '../log/checkpoints.ts';
import type { Log } from '../log/log.ts';
import type { createPace } from './pace.ts';
import type { Subscriber, SubscriberState } from './subscriber.ts';
import {
  createSubscriberProcessor,
  type SubscriberMarks,
  type SubscriberProcessor,
} from './subscriber-processor.ts';
import type { Subscription } from './subscription.ts';

export interface SubscribersOptions {
  readonly log: Log;
  readonly checkpoints: Checkpoints;
  readonly subscription: Pick<Subscription, 'onCommitted'>;
  readonly subscribers: readonly Subscriber[];
  readonly marks?: SubscriberMarks;
  readonly batchEventsMax?: number;
  readonly paced?: typeof createPace;
  onError(error: unknown): void;
  onNotice(message: string): void;
}

/** Contract: `start` and `stop` alternate; neither throws nor rejects. */
export interface Subscribers {
  start(): void;
  stop(): Promise<void>;
  /** In the order of registration. Rejects when the store fails. */
  state(): Promise<readonly SubscriberState[]>;
}

const noLosses = { rejected: 0, refused: 0, message: null };

/** Throws when two have the same name: they would move each other's checkpoint. */
export function createSubscribers(options: SubscribersOptions): Subscribers {
  const { log, checkpoints, subscription, subscribers } = options;
  const names = subscribers.map(({ name }) => name);
  if (new Set(names).size < names.length)
    throw new Error(`Two subscribers have one name: ${names.join(', ')}.`);
  let processors: readonly SubscriberProcessor[] = [];
  /** In earlier terms as the leader. */
  let passedOverBefore = names.map(() => 0);
  let unlisten: () => void = () => undefined;

  function passedOver(index: number): number {
    return (passedOverBefore[index] ?? 0) + (processors[index]?.passedOver() ?? 0);
  }

  return {
    start() {
      processors = subscribers.map((subscriber) =>
        createSubscriberProcessor({ ...options, subscriber }),
      );
      unlisten = subscription.onCommitted((position) => {
        for (const processor of processors) processor.advance(position);
      });
    },
    async stop() {
      unlisten();
      await Promise.all(processors.map((processor) => processor.stop()));
      passedOverBefore = names.map((_, index) => passedOver(index));
      processors = [];
    },
    async state() {
      if (subscribers.length === 0) return [];
      const head = await log.head();
      return Promise.all(
        names.map(async (name, index) => ({
          name,
          position: (await checkpoints.read(name))?.position ?? null,
          head,
          failure: processors[index]?.failure() ?? null,
          passedOver: passedOver(index),
          losses: subscribers[index]?.losses?.() ?? noLosses,
        })),
      );
    },
  };
}
