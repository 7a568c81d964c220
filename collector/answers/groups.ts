/**
 * The routes in groups, as roles list them (roles/role.ts): ingest, answers, operations, health.
 *
 * A group requires only what its own routes need.
 */
import type { FastifyInstance } from 'fastify';
import { routes as eventRoutes } from '../http/events/route.ts';
import type { RouteGroup } from '../http/route-group.ts';
import { addTurns, createTurns, type Turns } from '../http/turns.ts';
import type { Ingest } from '../ingest/ingest.ts';
import type { FoldRules } from '../projections/rules.ts';
import { createSessions } from '../projections/sessions.ts';
import { createVerified } from '../projections/verified.ts';
import { createSessionContexts } from './contexts/contexts.ts';
import { type FullHealth, routes as healthRoutes } from './health/route.ts';
import { routes as hostRoutes, type ReadHosts } from './hosts/route.ts';
import { routes as proofRoutes } from './proof/route.ts';
import type { AnswerSources, OperationSources, Question } from './question.ts';
import {
  type ReconciliationRoutesOptions,
  routes as reconciliationRoutes,
} from './reconciliation/route.ts';
import { operations, questions } from './routes.ts';

export function ingestGroup(ingest: Pick<Ingest, 'accept'>): RouteGroup {
  return async (app) => {
    await app.register(eventRoutes({ ingest }));
  };
}

type Derived = 'sessions' | 'verified' | 'contexts' | 'answers' | 'readCommand';

export interface AnswersGroupOptions extends Omit<AnswerSources, Derived> {
  /** The rules that the views are folded with. */
  readonly rules: FoldRules;
  /** How the commands of this installation begin. */
  readCommand(): string;
  /**
   * Called before a view is read, so that answers include every acknowledged event. Never rejects,
   * and gives up after a while.
   */
  settleViews(): Promise<void>;
}

export function answersGroup({ settleViews, rules, ...options }: AnswersGroupOptions): RouteGroup {
  const folded = {
    sessions: createSessions(rules),
    verified: createVerified(rules),
    contexts: createSessionContexts(options.views),
  };
  return async (app, { answers, access }) => {
    const readCommand = access.mode === 'open' ? options.readCommand : null;
    const sources: AnswerSources = { ...options, ...folded, answers, readCommand };
    const turns = createTurns();
    for (const question of questions) await answer(app, question, { sources, settleViews, turns });
  };
}

interface Answering {
  readonly sources: AnswerSources;
  settleViews(): Promise<void>;
  readonly turns: Turns;
}

async function answer(
  app: FastifyInstance,
  { routes, waitsFor }: Question,
  { sources, settleViews, turns }: Answering,
): Promise<void> {
  await app.register(async (scope) => {
    if (waitsFor.includes('views')) scope.addHook('preHandler', () => settleViews());
    if (waitsFor.includes('turn')) addTurns(scope, turns);
    await routes(sources)(scope);
  });
}

export function operationsGroup(sources: OperationSources): RouteGroup {
  return async (app) => {
    for (const routes of operations) await app.register(routes(sources));
  };
}

/** The health of a gateway, and the proof of which one it is. */
export function gatewayHealthGroup(readHealth: () => Promise<FullHealth>): RouteGroup {
  return async (app, { access, limits }) => {
    await app.register(proofRoutes({ ...access, limits }));
    await app.register(healthRoutes({ readHealth }));
  };
}

/** The health of the collector and of the agents beside it, and the proof of which one it is. */
export function healthGroup(
  readHealth: () => Promise<FullHealth>,
  readHosts: ReadHosts,
  reconciliation: ReconciliationRoutesOptions,
): RouteGroup {
  return async (app, { access, limits }) => {
    await app.register(hostRoutes({ readHosts }));
    await app.register(reconciliationRoutes(reconciliation));
    await app.register(proofRoutes({ ...access, limits }));
    await app.register(healthRoutes({ readHealth }));
  };
}
