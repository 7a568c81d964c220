/** What a collector does only while it leads: one function per task. */

import { wholeLog } from '../importers/whole-log.ts';
import { startDeadLetterRetry } from '../ingest/dead-letter-retry.ts';
import { createSessions } from '../projections/sessions.ts';
import { createVerified } from '../projections/verified.ts';
import { readLogTime } from '../seal/log-time.ts';
import { startRetention } from '../seal/retention.ts';
import { readSealedTotals } from '../seal/sealed-totals.ts';
import { appendOwn } from './budgets/append.ts';
import { lookAtBudgets } from './budgets/look.ts';
import { startBudgetWatch } from './budgets/watch.ts';
import type { LeaderTask } from './leadership.ts';
import type { LedgerParts } from './parts.ts';
import { startSessionWatch, type WatchedSessions } from './session-watch.ts';
import { withdrawSessionIn } from './withdrawing/in-ledger.ts';

type Parts<Name extends keyof LedgerParts> = Pick<LedgerParts, Name>;

/** Before anything is taken in: a log that has grown hides it. */
export function noticingPutBack({ putBack }: Parts<'putBack'>): LeaderTask {
  return {
    name: 'looking whether the store was put back',
    start: () => putBack.look(),
    stop: async () => undefined,
  };
}

export function folding({ subscription, store }: Parts<'subscription' | 'store'>): LeaderTask {
  return {
    name: 'folding',
    start: () => subscription.begin(),
    async stop() {
      // A collector that still leads is stopping: requests under way are folded until it closes.
      if (!store.right.isHeld()) await subscription.end();
    },
  };
}

/** Feeds the log to exporters. */
export function feeding({ subscribers }: Parts<'subscribers'>): LeaderTask {
  return {
    name: 'feeding subscribers',
    start: () => subscribers.start(),
    stop: () => subscribers.stop(),
  };
}

/** Ingests what dead producers left in the spool of this machine. */
export function spoolReading({ spoolReader }: Parts<'spoolReader'>, url: string): LeaderTask {
  return {
    name: 'reading the spool',
    start: () => spoolReader.start(url),
    stop: () => spoolReader.stop(),
  };
}

export function sessionImport(parts: LedgerParts, sessions: WatchedSessions): LeaderTask {
  const { config, store, cell, sealer, version, ingest, now, logger } = parts;
  return restartable('importing session files', (name) =>
    startSessionWatch({
      ...sessions,
      home: config.home,
      auditContent: config.auditContent,
      storeId: store.storeId,
      version,
      accept: (values, texts) => ingest.accept(values, texts, { is: 'importer' }),
      readLog: () => wholeLog(store.log),
      readSealedTotals: () => readSealedTotals(sealer, cell.views),
      withdrawSession: withdrawSessionIn(parts),
      now,
      onError: logger.reporter(`while ${name}`),
    }),
  );
}

export function deadLetterRetry({ ingest, logger }: Parts<'ingest' | 'logger'>): LeaderTask {
  return restartable('retrying what was refused', (name) =>
    startDeadLetterRetry({ ingest, onError: logger.reporter(`while ${name}`) }),
  );
}

/** Says when budgets are defined, crossed or gone. */
export function budgetWatch(parts: LedgerParts): LeaderTask {
  const { config, cell, store, subscription, ingest, now, logger } = parts;
  const sessions = createSessions(config.rules);
  const withdrawnAt = async () => (await store.log.withdrawals()).list.map(({ time }) => time);
  const verified = createVerified(config.rules);
  const asked = { views: cell.views, sessions, verified, limits: config.quota, withdrawnAt };
  return restartable('watching budgets', (name) =>
    startBudgetWatch({
      catchUp: () => subscription.catchUp(),
      onCommitted: subscription.onCommitted,
      look: () => lookAtBudgets(asked, config.budgets, now()),
      append: (events) => appendOwn(ingest, events),
      onError: logger.reporter(`while ${name}`),
    }),
  );
}

/** Seals history that is older than the configured retention, by the log time of all cells. */
export function retention({ sealer, config, cell, now, logger }: LedgerParts): LeaderTask {
  const task = restartable('sealing history', (name) =>
    startRetention({
      sealer,
      retentionDays: config.retentionDays,
      now,
      readLogTime: () => readLogTime(cell.views),
      onError: logger.reporter(`while ${name}`),
    }),
  );
  return {
    ...task,
    async stop() {
      await sealer.stop();
      await task.stop();
    },
  };
}

/** A task that is created anew with each start. */
export function restartable(
  name: string,
  begin: (name: string) => { stop(): Promise<void> },
): LeaderTask {
  let running: { stop(): Promise<void> } | null = null;
  return {
    name,
    start() {
      running = begin(name);
    },
    async stop() {
      await running?.stop();
      running = null;
    },
  };
}
