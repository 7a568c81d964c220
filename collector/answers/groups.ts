/**
 * The routes in groups, as roles list them (roles/role.ts): ingest, answers from the store,
 * administration, and health.
 *
 * A group requires only what its own routes need.
 */
import type { BudgetDelivery, Standing } from '@pi-ledger/contract/answers';
import type { FastifyInstance } from 'fastify';
import type { RandomBytes } from '../auth/token-text.ts';
import type { Tokens } from '../auth/tokens.ts';
import type { ServerAccess } from '../http/access.ts';
import type { AnswersInHand } from '../http/answers-in-hand.ts';
import { eventRoutes } from '../http/events/route.ts';
import type { RateLimits } from '../http/rate-limits.ts';
import { addTurns, createTurns } from '../http/turns.ts';
import type { Ingest } from '../ingest/ingest.ts';
import type { Log } from '../log/log.ts';
import type { Wanted } from '../projections/registry.ts';
import type { FoldRules } from '../projections/rules.ts';
import { createSessions } from '../projections/sessions.ts';
import { createVerified } from '../projections/verified.ts';
import type { ViewsReader } from '../views/views.ts';
import { agentRoutes } from './agent/route.ts';
import type { NamedBudget } from './budgets/definition.ts';
import { budgetDeliveryRoutes } from './budgets/deliveries-route.ts';
import { budgetRoutes } from './budgets/route.ts';
import { createAudits } from './compactions/audits/audits.ts';
import { ofAudits } from './compactions/audits/changes.ts';
import { compactionRoutes } from './compactions/route.ts';
import { contextRoutes } from './context/route.ts';
import { deadLetterRoutes } from './dead-letters/route.ts';
import { type FullHealth, healthRoutes } from './health/route.ts';
import { standingRoutes } from './health/standing-route.ts';
import { hostRoutes, type ReadHosts } from './hosts/route.ts';
import type { FoundInsights } from './insights/query.ts';
import { type InsightsRoutesOptions, insightsRoutes } from './insights/route.ts';
import { labelRoutes } from './labels/route.ts';
import { ownLogRoutes } from './log/own-route.ts';
import { logRoutes } from './log/route.ts';
import { metricsRoutes, type ReadMetrics } from './metrics/route.ts';
import { producerRoutes } from './producers/route.ts';
import { proofRoutes } from './proof/route.ts';
import { ofHistory, type RememberedHistory } from './quota/history.ts';
import type { OwnLimits } from './quota/limits.ts';
import { quotaRoutes } from './quota/route.ts';
import { type Rebuild, rebuildRoutes } from './rebuild/route.ts';
import { type ReconciliationRoutesOptions, reconciliationRoutes } from './reconciliation/route.ts';
import { repriceRoutes } from './reprice/route.ts';
import { requestRoutes } from './requests/route.ts';
import { type SealRoutesOptions, sealRoutes } from './seal/route.ts';
import { createSessionContexts } from './sessions/contexts/contexts.ts';
import { sessionRoutes } from './sessions/route.ts';
import { timelineRoutes } from './timeline/route.ts';
import { timingRoutes } from './timings/route.ts';
import { tokenRoutes } from './tokens/route.ts';
import { toolRoutes } from './tools/route.ts';
import { usageRoutes } from './usage/route.ts';
import { usageRowRoutes } from './usage/rows-route.ts';
import { totalsRoutes } from './usage/totals-route.ts';
import { createRemembered } from './views/remembered.ts';
import { type Withdrawing, withdrawalRoutes } from './withdrawals/route.ts';

/** What the server offers every group. */
interface ServerContext {
  readonly access: ServerAccess;
  /** Null: none. */
  readonly limits: RateLimits | null;
  readonly answers: AnswersInHand;
}

/** Registers its routes. */
export type RouteGroup = (app: FastifyInstance, server: ServerContext) => Promise<void>;

export function ingestGroup(ingest: Pick<Ingest, 'accept'>): RouteGroup {
  return async (app) => {
    await app.register(eventRoutes(ingest));
  };
}

export interface AnswersGroupOptions {
  readonly log: Log;
  readonly views: ViewsReader;
  /** The rules that the views are folded with. */
  readonly rules: FoldRules;
  /** Where a branch's name says its pull request; null: nowhere. */
  readonly pullRequests: string | null;
  /** The user's own limits of plans. */
  readonly quota: OwnLimits;
  /** Those of this process; null where another one writes the ledger. */
  configuredBudgets(): readonly NamedBudget[] | null;
  /** Why some of them do not hold; empty where another process writes the ledger. */
  budgetsLeftOut?(): readonly string[];
  readonly hiddenInsights: InsightsRoutesOptions['hidden'];
  readonly now: () => number;
  readStanding(): Promise<Standing>;
  /** How the commands of this installation begin. */
  readCommand(): string;
  readonly readMetrics: ReadMetrics;
  /**
   * Called before a view is read, so that answers include every acknowledged event. Never rejects,
   * and gives up after a while.
   */
  settleViews(): Promise<void>;
}

export function answersGroup(options: AnswersGroupOptions): RouteGroup {
  const { log, views, rules, quota, hiddenInsights, now, settleViews, readStanding } = options;
  const { pullRequests } = options;
  const sessions = createSessions(rules);
  const verified = createVerified(rules);
  const contexts = createSessionContexts(views);
  const audits = createAudits({ views, sessions, log, contexts });
  return async (app, { answers, access }) => {
    const turns = createTurns();
    await app.register(async (reading) => {
      addTurns(reading, turns);
      await reading.register(logRoutes(log, answers));
    });
    await app.register(async (viewing) => {
      viewing.addHook('preHandler', () => settleViews());
      // Made once for all who ask meanwhile: they need no turns.
      await viewing.register(metricsRoutes(options.readMetrics));
      await viewing.register(totalsRoutes({ views, now }));
      await viewing.register(async (inTurn) => {
        addTurns(inTurn, turns);
        await inTurn.register(ownLogRoutes({ log, views, sessions, answers }));
        await inTurn.register(usageRoutes({ views, sessions, pullRequests, now }));
        await inTurn.register(usageRowRoutes({ views, sessions }));
        const histories = createRemembered<RememberedHistory>({ views, now, of: ofHistory });
        await inTurn.register(quotaRoutes({ views, sessions, limits: quota, histories, now }));
        const { configuredBudgets: configured, budgetsLeftOut: leftOut = () => [] } = options;
        const budgets = { verified, configured, leftOut, limits: quota, now };
        await inTurn.register(budgetRoutes({ views, sessions, ...budgets }));
        await inTurn.register(agentRoutes({ views, sessions, ...budgets, readStanding }));
        await inTurn.register(repriceRoutes({ log, views, sessions, pullRequests }));
        await inTurn.register(sessionRoutes({ views, sessions, contexts }));
        await inTurn.register(contextRoutes({ views, sessions, contexts }));
        await inTurn.register(timelineRoutes({ views, sessions, contexts }));
        await inTurn.register(requestRoutes({ views, sessions, contexts }));
        await inTurn.register(compactionRoutes({ views, sessions, contexts, audits, log }));
        await inTurn.register(timingRoutes(views));
        await inTurn.register(toolRoutes(views));
        const remembered = createRemembered<FoundInsights>({ views, now, of: ofAudits });
        const insights = { views, sessions, contexts, remembered, now, hidden: hiddenInsights };
        await inTurn.register(insightsRoutes(insights));
        await inTurn.register(producerRoutes(views, log));
      });
    });
    const readCommand = access.mode === 'open' ? options.readCommand : null;
    await app.register(standingRoutes({ readStanding, readCommand }));
  };
}

export interface AdministrationGroupOptions {
  readonly ingest: Ingest;
  readonly withdrawing: Withdrawing;
  readonly views: ViewsReader;
  /** The rules that the views are folded with. */
  readonly rules: FoldRules;
  readonly now: () => number;
  /** As for answers. */
  settleViews(): Promise<void>;
  readonly rebuild: Rebuild;
  /** The projections that can be built again. */
  readonly wanted: Wanted;
  readonly sealing: SealRoutesOptions;
  readonly tokens: Tokens;
  readonly random: RandomBytes;
  readDeliveries(): Promise<readonly BudgetDelivery[]>;
}

export function administrationGroup(options: AdministrationGroupOptions): RouteGroup {
  const { ingest, withdrawing, views, rules, now, settleViews } = options;
  const { rebuild, sealing, tokens, random } = options;
  const sessions = createSessions(rules);
  return async (app) => {
    await app.register(budgetDeliveryRoutes(options.readDeliveries));
    await app.register(deadLetterRoutes(ingest));
    await app.register(labelRoutes({ views, sessions, ingest, now, settleViews }));
    await app.register(rebuildRoutes(rebuild, options.wanted));
    await app.register(sealRoutes(sealing));
    await app.register(tokenRoutes({ tokens, now, random }));
    await app.register(withdrawalRoutes(withdrawing));
  };
}

/** The health of a gateway, and the proof of which one it is. */
export function gatewayHealthGroup(readHealth: () => Promise<FullHealth>): RouteGroup {
  return async (app, { access, limits }) => {
    await app.register(proofRoutes({ ...access, limits }));
    await app.register(healthRoutes(readHealth));
  };
}

/** The health of the collector and of the agents beside it, and the proof of which one it is. */
export function healthGroup(
  readHealth: () => Promise<FullHealth>,
  readHosts: ReadHosts,
  reconciliation: ReconciliationRoutesOptions,
): RouteGroup {
  return async (app, { access, limits }) => {
    await app.register(hostRoutes(readHosts));
    await app.register(reconciliationRoutes(reconciliation));
    await app.register(proofRoutes({ ...access, limits }));
    await app.register(healthRoutes(readHealth));
  };
}
