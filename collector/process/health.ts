/**
 * Is the ledger ready? It is when its store answers, it may write it, and every view has folded
 * what was there at the start. A collector that stands by is well, and not ready: whoever balances
 * load sends nothing to it. Events that a view had to set aside are a warning, and so is a subscriber
 * that fails: it is as ready as it will be.
 */

import type { FullHealth } from '../http/routes/health.ts';
import type { DeadLetterStanding } from '../ingest/dead-letter-room.ts';
import type { Log } from '../log/log.ts';
import type { WriteRight } from '../stores/store.ts';
import type { SubscriberState } from '../subscription/subscriber.ts';
import type { Subscribers } from '../subscription/subscribers.ts';
import type { Subscription } from '../subscription/subscription.ts';

export interface HealthOptions {
  readonly log: Log;
  readonly subscription: Pick<Subscription, 'state' | 'failure'>;
  readonly subscribers: Pick<Subscribers, 'state'>;
  readonly right: WriteRight;
  /** Of the store. */
  trouble(): string | null;
  readonly version: string;
  readonly storeId: string;
  deadLetters(): DeadLetterStanding;
}

/** Reads the log's head now: that is what the views have to reach. The reader never rejects. */
export async function createHealthReader(
  options: HealthOptions,
): Promise<() => Promise<FullHealth>> {
  const { log, subscription, subscribers, right, trouble, version, storeId, deadLetters } = options;
  const headAtStart = await log.head();

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
    const role = roleOf(right);
    const lack = trouble();
    const problems = [
      ...(lack === null ? [] : [lack]),
      ...(role === 'standby' ? ['Another process writes to this store: this one stands by.'] : []),
      ...(failure === null ? [] : [`The views do not advance: ${failure.message}`]),
      ...behind.map(
        ({ projection, position }) =>
          `The view ${projection} is being folded: ${position} of ${headAtStart} events.`,
      ),
    ];
    const warnings = [
      ...views.filter(({ setAside }) => setAside.count > 0).map(warningOf),
      ...fed.flatMap(failureOf),
      ...roomWarnings(deadLetters()),
    ];
    return {
      ready: problems.length === 0,
      role,
      version,
      storeId,
      problems,
      warnings,
      views,
      subscribers: fed,
    };
  }

  return () =>
    read().catch((error: unknown) => ({
      ready: false,
      role: roleOf(right),
      version,
      storeId,
      problems: [`The store cannot be read: ${messageOf(error)}`],
      warnings: [],
      views: [],
      subscribers: [],
    }));
}

function roleOf(right: WriteRight): FullHealth['role'] {
  return right.isHeld() ? 'leader' : 'standby';
}

function warningOf({
  projection,
  setAside: { count, events },
}: FullHealth['views'][number]): string {
  const [first] = events;
  const example =
    first === undefined
      ? ''
      : ` The first: ${first.eventId || 'an id that cannot be read'} at position ${first.position}: ${first.reason}`;
  return `The view ${projection} is without ${count} events that cannot be folded.${example}`;
}

function failureOf({ name, position, head, failure }: SubscriberState): string[] {
  if (failure === null) return [];
  const where = `is at ${position ?? 0} of ${head} events`;
  return [`The subscriber ${name} ${where} and does not advance: ${failure}`];
}

function roomWarnings({ count, isFull, notKept }: DeadLetterStanding): string[] {
  return [
    ...(isFull
      ? [
          `There is no room for more dead letters (${count} are kept): what is refused from now on is lost.`,
        ]
      : []),
    ...(notKept > 0
      ? [
          `${notKept} refused events were not kept since it started: there was no room for more dead letters.`,
        ]
      : []),
  ];
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
