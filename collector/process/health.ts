/**
 * Whether the collector is ready: its store answers, this process may write it, and every view has
 * folded what the log held at the start. A collector on standby is healthy but not ready, so that a
 * load balancer sends it nothing. Events that a view sets aside and subscribers that fail are
 * warnings: waiting does not make it more ready.
 */

import { errorText } from '@pi-ledger/core/text/error-text';
import type { FullHealth } from '../answers/health/route.ts';
import type { DeadLetterStatus } from '../ingest/dead-letter-room.ts';
import type { Log } from '../log/log.ts';
import type { WriteRight } from '../stores/store.ts';
import type { SubscriberState } from '../subscription/subscriber.ts';
import type { Subscribers } from '../subscription/subscribers.ts';
import type { Subscription } from '../subscription/subscription.ts';
import { metricsNotSent } from './logger.ts';

export interface HealthOptions {
  readonly log: Log;
  readonly subscription: Pick<Subscription, 'state' | 'failure'>;
  readonly subscribers: Pick<Subscribers, 'state'>;
  /** Why metrics do not arrive where they are sent; null: they do, or are not sent. */
  metricsFailure(): string | null;
  readonly right: WriteRight;
  /** Says what is wrong with the store. */
  trouble(): string | null;
  readonly version: string;
  readonly storeId: string;
  readonly startedAtMs: number;
  /** What kind of store it is, and how large; never throws. */
  storeSize(): FullHealth['store'];
  deadLetters(): DeadLetterStatus;
  /** How taking in from Kafka fares, as sentences. */
  intake(): readonly string[];
  /** Which notices of budgets did not arrive, as sentences; rejects when the store fails. */
  notices(): Promise<readonly string[]>;
}

/** Reads the log's head: the position that the views have to reach. The reader never rejects. */
export async function createHealthReader(
  options: HealthOptions,
): Promise<() => Promise<FullHealth>> {
  const { log, subscription, subscribers, right, trouble, version, storeId, deadLetters } = options;
  const headAtStart = await log.head();
  const startedAt = new Date(options.startedAtMs).toISOString();

  async function read(): Promise<FullHealth> {
    const views = (await subscription.state()).map(({ projection, position, head, setAside }) => ({
      projection,
      position,
      head,
      setAside,
    }));
    const fed = await subscribers.state();
    const behind = views.filter(({ position }) => position < headAtStart);
    const failure = subscription.failure();
    const role = currentRole(right);
    const lack = trouble();
    const unsent = options.metricsFailure();
    const problems = [
      ...(lack === null ? [] : [lack]),
      ...(role === 'standby'
        ? ['Another collector writes to this store; this one is on standby.']
        : []),
      ...(failure === null ? [] : [`The views do not advance: ${failure.message}`]),
      ...behind.map(
        ({ projection, position }) =>
          `The view ${projection} is catching up: ${position} of ${headAtStart} events.`,
      ),
    ];
    const warnings = [
      ...views.filter(({ setAside }) => setAside.count > 0).map(setAsideWarning),
      ...fed.flatMap(failureWarnings),
      ...fed.flatMap(lossWarnings),
      ...(unsent === null ? [] : [metricsNotSent(unsent)]),
      ...roomWarnings(deadLetters()),
      ...options.intake(),
    ];
    return {
      ready: problems.length === 0,
      role,
      version,
      storeId,
      startedAt,
      store: options.storeSize(),
      problems,
      warnings,
      views,
      subscribers: fed,
      notices: await options.notices(),
    };
  }

  return () =>
    read().catch((error: unknown) => ({
      ready: false,
      role: currentRole(right),
      version,
      storeId,
      startedAt,
      store: options.storeSize(),
      problems: [`The store cannot be read: ${errorText(error)}`],
      warnings: [],
      views: [],
      subscribers: [],
    }));
}

function currentRole(right: WriteRight): FullHealth['role'] {
  return right.isHeld() ? 'leader' : 'standby';
}

function setAsideWarning({
  projection,
  setAside: { count, events },
}: FullHealth['views'][number]): string {
  const [first] = events;
  const example =
    first === undefined
      ? ''
      : ` The first: ${first.eventId || '(unreadable id)'} at position ${first.position}: ` +
        first.reason;
  return `The view ${projection} lacks ${count} events that cannot be folded.${example}`;
}

function failureWarnings({ name, position, head, failure }: SubscriberState): string[] {
  if (failure === null) return [];
  const where = `is at ${position ?? 0} of ${head} events`;
  return [`The subscriber ${name} ${where} and does not advance: ${failure}`];
}

function lossWarnings({ name, passedOver, losses }: SubscriberState): string[] {
  const { rejected, refused, message } = losses;
  const lost = rejected + refused;
  const why = message === null ? '' : ` The last reason: ${message}`;
  return [
    ...(passedOver > 0
      ? [
          `The subscriber ${name} lacks events that were deleted before it read them: ` +
            `${passedOver}.`,
        ]
      : []),
    ...(lost > 0
      ? [`The subscriber ${name} lost items that its endpoint does not take: ${lost}.${why}`]
      : []),
  ];
}

function roomWarnings({ count, isFull, notKept }: DeadLetterStatus): string[] {
  return [
    ...(isFull
      ? [
          `No room for more rejected events (${count} kept): further ones are lost. ` +
            '`pi-ledger rejected` lists them.',
        ]
      : []),
    ...(notKept > 0
      ? [`${notKept} rejected events were lost since the start: there was no room to keep them.`]
      : []),
  ];
}
