/** Stores whose history is sealed, each with a subscription and a sealer. */
import { randomUUID } from 'node:crypto';
import type { LedgerEvent } from '@pi-ledger/contract';
import type { Log } from '../../../collector/log/log.ts';
import type { Projection } from '../../../collector/projections/projection.ts';
import { createProjections } from '../../../collector/projections/registry.ts';
import { noRules } from '../../../collector/projections/rules.ts';
import { createSealer, type Sealer } from '../../../collector/seal/sealer.ts';
import { createFoldingSubscription } from '../../../collector/subscription/folding-subscription.ts';
import type { Subscription } from '../../../collector/subscription/subscription.ts';
import type { Views } from '../../../collector/views/views.ts';
import { type Contents, contentsOf, expectContents } from '../../collector/subscription/ledger.ts';
import { receivedAtMs } from '../../collector/subscription/received-at.ts';

export interface HistoryUnderTest {
  readonly log: Log;
  readonly views: Views;
}

interface Session extends HistoryUnderTest {
  readonly subscription: Subscription;
  readonly sealer: Sealer;
  readonly errors: unknown[];
  append(events: readonly LedgerEvent[]): Promise<void>;
  /** Compares the views as folded now and after a rebuild. */
  expectBothWays(expected: Contents): Promise<void>;
}

interface Wish {
  readonly projections?: readonly Projection[];
  /** Replaces the store's own log. */
  readonly log?: Log;
  readonly classCharsMax?: number;
  readonly batchEventsMax?: number;
  readonly lowestFloorMs?: () => Promise<number>;
}

interface HistorySessions {
  openStore(): Promise<HistoryUnderTest>;
  /** Folds and seals this store. */
  run(store: HistoryUnderTest, wish?: Wish): Session;
  /** The newest first. */
  closeAll(): Promise<void>;
}

export function historySessions(open: () => Promise<HistoryUnderTest>): HistorySessions {
  const closing: (() => Promise<void>)[] = [];
  async function closeAll(): Promise<void> {
    for (const close of closing.splice(0).toReversed()) await close();
  }

  async function openStore(): Promise<HistoryUnderTest> {
    const store = await open();
    closing.push(
      () => store.log.close(),
      () => store.views.close(),
    );
    return store;
  }

  function run(store: HistoryUnderTest, wish: Wish = {}): Session {
    const {
      projections = createProjections(noRules),
      log = store.log,
      batchEventsMax = 20_000,
      ...limits
    } = wish;
    const { views } = store;
    const errors: unknown[] = [];
    const onError = (error: unknown) => errors.push(error);
    const subscription = createFoldingSubscription({
      log,
      views,
      projections,
      batchEventsMax,
      onError,
    });
    closing.push(() => subscription.stop());
    const sealer = createSealer({
      log,
      views,
      projections,
      bareProjections: createProjections(noRules),
      subscription,
      isWriter: () => true,
      now: Date.now,
      random: randomUUID,
      ...limits,
    });
    return {
      log,
      views,
      subscription,
      sealer,
      errors,
      async append(events) {
        await log.append({ receivedAtMs, events, deadLetters: [] });
        subscription.wake();
      },
      async expectBothWays(expected) {
        await subscription.catchUp();
        expectContents(await contentsOf(views), expected);
        for (const { name: projection } of projections) await subscription.rebuild(projection);
        expectContents(await contentsOf(views), expected);
      },
    };
  }

  return { openStore, run, closeAll };
}
