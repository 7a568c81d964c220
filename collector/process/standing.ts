/**
 * Whether answers from the views are complete now: the views have everything that was acknowledged
 * before the question, and nothing was set aside.
 *
 * Contract: waits as long as an answer waits for the views, and no longer. Rejects when the store
 * cannot be read.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Standing } from '@pi-ledger/contract/answers';
import type { Log } from '../log/log.ts';
import type { ProjectionState } from '../subscription/projection-state.ts';
import type { Subscription } from '../subscription/subscription.ts';

export interface StandingOptions {
  readonly log: Log;
  readonly subscription: Pick<Subscription, 'state' | 'failure'>;
  /** Whether this process folds. If not, another one does, and gets as much time. */
  isWriter(): boolean;
  /** Says what is wrong with the store. */
  trouble(): string | null;
  /** Never rejects, and gives up after a bounded time. */
  settleViews(): Promise<void>;
  /** An import that is not finished. */
  importing(): Standing['importing'];
  /** By imports on this machine. */
  leftOut(): Standing['leftOut'];
}

const looksMax = 20;
const lookEveryMs = 100;

export function createStandingReader({
  log,
  subscription,
  isWriter,
  trouble,
  settleViews,
  importing,
  leftOut,
}: StandingOptions): () => Promise<Standing> {
  async function settled(head: number): Promise<readonly ProjectionState[]> {
    await settleViews();
    let states = await subscription.state();
    for (
      let look = 0;
      look < looksMax && !isWriter() && states.some(({ position }) => position < head);
      look++
    ) {
      await delay(lookEveryMs);
      states = await subscription.state();
    }
    return states;
  }

  /** Resolves to null, too, when that event is damaged. */
  async function receivedAfter(position: number): Promise<string | null> {
    const [first] = await log.readTexts(position, 1).catch(() => []);
    return first === undefined ? null : new Date(first.receivedAtMs).toISOString();
  }

  return async () => {
    const head = await log.head();
    const states = await settled(head);
    const views = states.map(async ({ projection, position, isOutdated, setAside }) => {
      const isBehind = isOutdated || position < head;
      return {
        projection,
        isBehind,
        behindSince: isBehind ? await receivedAfter(position) : null,
        setAside: setAside.count,
      };
    });
    return {
      trouble: trouble(),
      problem: subscription.failure()?.message ?? null,
      views: await Promise.all(views),
      importing: importing(),
      leftOut: leftOut(),
    };
  };
}
