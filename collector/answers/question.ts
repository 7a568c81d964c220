/** A question to the ledger, and what its answer is made from. */
import type { BudgetDelivery, Standing } from '@pi-ledger/contract/answers';
import type { FastifyInstance } from 'fastify';
import type { RandomBytes } from '../auth/token-text.ts';
import type { TokenRegistry } from '../auth/tokens.ts';
import type { AnswersInHand } from '../http/answers-in-hand.ts';
import type { Ingest } from '../ingest/ingest.ts';
import type { Log } from '../log/log.ts';
import type { BillingAsked } from './billing/route.ts';
import type { NamedBudget } from './budgets/definition.ts';
import type { SpendViews } from './budgets/spend.ts';
import type { SessionContexts } from './contexts/contexts.ts';
import type { InsightsRoutesOptions } from './insights/route.ts';
import type { ReadMetrics } from './metrics/route.ts';
import type { OwnLimits } from './quota/limits.ts';
import type { RebuildOptions } from './rebuild/route.ts';
import type { SealRoutesOptions } from './seal/route.ts';
import type { Withdrawing } from './withdrawals/route.ts';

export type Routes<Sources> = (sources: Sources) => (app: FastifyInstance) => Promise<void>;

/**
 * Each folder beside this file is a question, or an operation. Its `query.ts` makes rows of views,
 * `route.ts` gives them by HTTP, `command.ts` asks that route and `print.ts` writes the answer for
 * people. `routes.ts` lists the routes, `cli/commands/registry.ts` the commands.
 */
export interface Question {
  readonly routes: Routes<AnswerSources>;
  readonly waitsFor: readonly Wait[];
}

/**
 * `views`: until they have what was acknowledged before. `turn`: until fewer answers are made, and
 * first for those who ask least (http/turns.ts).
 */
type Wait = 'views' | 'turn';

/** One ledger, as a process that serves it reads it. */
export interface AnswerSources extends SpendViews {
  readonly log: Log;
  readonly contexts: SessionContexts;
  /** Where a branch's name says its pull request; null: nowhere. */
  readonly pullRequests: string | null;
  /** The user's own limits of plans. */
  readonly limits: OwnLimits;
  /** The budgets of this process; null where another one writes the ledger. */
  configured(): readonly NamedBudget[] | null;
  /** Why some of them do not hold; empty where another process writes the ledger. */
  leftOut(): readonly string[];
  /** Insights that a person does not want to see again. */
  readonly hidden: InsightsRoutesOptions['hidden'];
  readonly now: () => number;
  readStanding(): Promise<Standing>;
  /** How the commands of this installation begin; null: who asks may be elsewhere. */
  readonly readCommand: (() => string) | null;
  readonly readMetrics: ReadMetrics;
  readonly answers: AnswersInHand;
}

/** One ledger, as the process that writes it changes it. */
export interface OperationSources extends BillingAsked, RebuildOptions, SealRoutesOptions {
  readonly ingest: Ingest;
  readonly withdrawing: Withdrawing;
  readonly tokens: TokenRegistry;
  readonly random: RandomBytes;
  readDeliveries(): Promise<readonly BudgetDelivery[]>;
}
