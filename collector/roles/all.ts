/** The role `all`: one process ingests, folds, answers and administers its store. */
import { randomBytes } from 'node:crypto';
import { wantedBy } from '../answers/budgets/definition.ts';
import { answersGroup, healthGroup, ingestGroup, operationsGroup } from '../answers/groups.ts';
import { pageGroup } from '../http/page/group.ts';
import type { RouteGroup } from '../http/route-group.ts';
import { createHiddenInsights } from '../process/hidden-insights.ts';
import { suggestBilling } from '../process/hosts/credentials.ts';
import { lookAtHosts } from '../process/hosts/hosts.ts';
import { createLastReconciliation } from '../process/last-reconciliation.ts';
import { readDeliveries } from '../process/notices/deliveries.ts';
import { noticeTargets } from '../process/notices/targets.ts';
import { ownCommand } from '../process/own-command.ts';
import { createSessions } from '../projections/sessions.ts';
import { readLogTime } from '../seal/log-time.ts';
import { withWholeDays } from '../views/whole-days.ts';
import {
  budgetWatch,
  deadLetterRetry,
  feeding,
  folding,
  noticingPutBack,
  retention,
  sessionImport,
  spoolReading,
} from './leader-tasks.ts';
import type { LedgerParts } from './parts.ts';
import type { Role } from './role.ts';
import { withdrawingIn } from './withdrawing/in-ledger.ts';

export const all: Role = {
  routes: (parts) => [
    ingestGroup(parts.ingest),
    answerRoutes(parts),
    operationRoutes(parts),
    healthRoutes(parts),
    pageRoutes(parts),
  ],
  leaderTasks: (parts, { url, sessions }) => [
    noticingPutBack(parts),
    folding(parts),
    feeding(parts),
    ...(parts.metricsSending === null ? [] : [parts.metricsSending.task]),
    spoolReading(parts, url),
    ...(sessions === null ? [] : [sessionImport(parts, sessions)]),
    deadLetterRetry(parts),
    retention(parts),
    budgetWatch(parts),
  ],
};

export function healthRoutes({ readHealth, config }: LedgerParts): RouteGroup {
  const reconciliation = createLastReconciliation(config.home);
  return healthGroup(readHealth, () => lookAtHosts(process.env), reconciliation);
}

export function answerRoutes(parts: LedgerParts): RouteGroup {
  const { store, config, now, readStanding, settleViews, readMetrics } = parts;
  const { log } = store;
  const views = withWholeDays(store.views);
  const { rules, pullRequests, quota, budgets, budgetsLeftOut, home } = config;
  return answersGroup({
    ...{ log, views, rules, pullRequests, limits: quota, now },
    hidden: createHiddenInsights(home),
    configured: () => (store.right.isHeld() ? budgets : null),
    leftOut: () => (store.right.isHeld() ? budgetsLeftOut : []),
    ...{ readStanding, settleViews, readMetrics },
    readCommand: () => ownCommand(process.env),
  });
}

export function pageRoutes({
  store: { views },
  live,
  logger,
  pageDirectory,
  now,
}: LedgerParts): RouteGroup {
  const onError = logger.reporter('in the background');
  return pageGroup({ directory: pageDirectory, now, live: { ...live, views, onError } });
}

export function operationRoutes(parts: LedgerParts): RouteGroup {
  const { store, config, ingest, subscription, sealer, version, now, settleViews, billing } = parts;
  const { views } = store;
  const sessions = createSessions(config.rules);
  return operationsGroup({
    ...{ ingest, views, sessions, now, settleViews, sealer },
    billing,
    readSuggestions: () => suggestBilling(process.env),
    withdrawing: withdrawingIn(parts),
    rebuild: (projection) => subscription.rebuild(projection),
    wanted: wantedBy(config.budgets),
    async readLogTime() {
      await settleViews();
      return readLogTime(views);
    },
    tokens: store.tokens,
    random: randomBytes,
    readDeliveries: () =>
      readDeliveries(noticeTargets(config, { version, now }), store.checkpoints),
  });
}
