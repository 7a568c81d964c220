/**
 * The answer of each API route: the schema that validates it, that the OpenAPI document shows, and
 * that the command line derives its types from. A new answer is a file here and a line below.
 */
import { Ack } from '../batch.ts';
import { AgentOverview } from './agent.ts';
import { BillingChanged, BillingList } from './billing.ts';
import { BudgetDeliveryList } from './budget-deliveries.ts';
import { BudgetCrossingList, BudgetList } from './budgets.ts';
import { CompactionDetails } from './compactions/details-schema.ts';
import { CompactionList } from './compactions/schema.ts';
import { ContextWindow } from './context.ts';
import { ContextSeries } from './context-series.ts';
import { DeadLetterList, DeadLettersRemoved, DeadLettersRetried } from './dead-letters.ts';
import type { AnswerOf } from './fields.ts';
import { Health, Live, Standing } from './health.ts';
import { HostList } from './hosts.ts';
import { Insights, InsightsHidden } from './insights.ts';
import { Labelled } from './labelled.ts';
import { LiveLine } from './live-line.ts';
import { LogPage, Rebuilt, Sealed, SealState } from './log.ts';
import { ModelDayList, ModelList } from './models/schema.ts';
import { ProducerList } from './producers.ts';
import { Proofs } from './proof.ts';
import { Quota, QuotaHistory } from './quota.ts';
import { LastReconciliation } from './reconciliation.ts';
import { Repriced } from './reprice.ts';
import { RequestList } from './requests/schema.ts';
import { RunList } from './runs.ts';
import { SessionDetails, SessionList } from './sessions/schema.ts';
import { Several } from './several.ts';
import { Timeline } from './timeline.ts';
import { NewToken, Token, TokenList } from './tokens.ts';
import { ToolCostList } from './tools/costs-schema.ts';
import { ToolModelList } from './tools/models-schema.ts';
import { ToolList } from './tools/schema.ts';
import { Totals } from './totals.ts';
import { Usage } from './usage/schema.ts';
import { UsageFineRows } from './usage-rows.ts';
import { WithdrawalList, Withdrawn } from './withdrawn.ts';

export const api = {
  'GET /health/live': { operationId: 'getLive', answer: Live },
  'GET /health/ready': { operationId: 'getHealth', answer: Health },
  'GET /v1/agent': { operationId: 'getAgentOverview', answer: AgentOverview },
  'GET /v1/answers': { operationId: 'getAnswers', answer: Several },
  'GET /v1/billing': { operationId: 'listBilling', answer: BillingList },
  'POST /v1/billing': { operationId: 'setBilling', answer: BillingChanged },
  'GET /v1/budgets': { operationId: 'listBudgets', answer: BudgetList },
  'GET /v1/budgets/crossings': {
    operationId: 'listBudgetCrossings',
    answer: BudgetCrossingList,
  },
  'GET /v1/budgets/deliveries': {
    operationId: 'listBudgetDeliveries',
    answer: BudgetDeliveryList,
  },
  'GET /v1/compactions': { operationId: 'listCompactions', answer: CompactionList },
  'GET /v1/compactions/{id}': { operationId: 'getCompaction', answer: CompactionDetails },
  'GET /v1/context/{session}': { operationId: 'getContext', answer: ContextWindow },
  'GET /v1/context/{session}/series': {
    operationId: 'getContextSeries',
    answer: ContextSeries,
  },
  'GET /v1/dead-letters': { operationId: 'listDeadLetters', answer: DeadLetterList },
  'POST /v1/dead-letters/remove': { operationId: 'removeDeadLetters', answer: DeadLettersRemoved },
  'POST /v1/dead-letters/retry': { operationId: 'retryDeadLetters', answer: DeadLettersRetried },
  'POST /v1/events': { operationId: 'appendEvents', answer: Ack },
  'GET /v1/health': { operationId: 'getHealthShown', answer: Health },
  'GET /v1/hosts': { operationId: 'listHosts', answer: HostList },
  'GET /v1/insights': { operationId: 'listInsights', answer: Insights },
  'POST /v1/insights/{id}/hidden': { operationId: 'hideInsight', answer: InsightsHidden },
  'POST /v1/labels': { operationId: 'labelRecords', answer: Labelled },
  'GET /v1/live': { operationId: 'followChanges', answer: LiveLine },
  'GET /v1/log': { operationId: 'listEvents', answer: LogPage },
  'GET /v1/log/own': { operationId: 'listOwnEvents', answer: LogPage },
  'POST /v1/log': { operationId: 'appendExportedEvents', answer: Ack },
  'GET /v1/models': { operationId: 'listModels', answer: ModelList },
  'GET /v1/models/days': { operationId: 'listModelDays', answer: ModelDayList },
  'GET /v1/producers': { operationId: 'listProducers', answer: ProducerList },
  'GET /v1/proof': { operationId: 'getProof', answer: Proofs },
  'GET /v1/quota': { operationId: 'getQuota', answer: Quota },
  'GET /v1/quota/history': { operationId: 'getQuotaHistory', answer: QuotaHistory },
  'POST /v1/rebuild/{projection}': { operationId: 'rebuildView', answer: Rebuilt },
  'GET /v1/reconciliation': { operationId: 'getReconciliation', answer: LastReconciliation },
  'POST /v1/reconciliation': { operationId: 'keepReconciliation', answer: LastReconciliation },
  'POST /v1/reprice': { operationId: 'repriceUsage', answer: Repriced },
  'GET /v1/requests': { operationId: 'listRequests', answer: RequestList },
  'GET /v1/runs': { operationId: 'listRuns', answer: RunList },
  'GET /v1/seal': { operationId: 'getSeal', answer: SealState },
  'POST /v1/seal': { operationId: 'sealHistory', answer: Sealed },
  'GET /v1/sessions': { operationId: 'listSessions', answer: SessionList },
  'GET /v1/sessions/{id}': { operationId: 'getSession', answer: SessionDetails },
  'GET /v1/sessions/{id}/timeline': { operationId: 'getTimeline', answer: Timeline },
  'GET /v1/standing': { operationId: 'getStanding', answer: Standing },
  'GET /v1/tokens': { operationId: 'listTokens', answer: TokenList },
  'POST /v1/tokens': { operationId: 'createToken', answer: NewToken },
  'POST /v1/tokens/{id}/revoke': { operationId: 'revokeToken', answer: Token },
  'GET /v1/tools': { operationId: 'listTools', answer: ToolList },
  'GET /v1/tools/costs': { operationId: 'listToolCosts', answer: ToolCostList },
  'GET /v1/tools/models': { operationId: 'listToolModels', answer: ToolModelList },
  'GET /v1/totals': { operationId: 'getTotals', answer: Totals },
  'GET /v1/usage': { operationId: 'getUsage', answer: Usage },
  'GET /v1/usage/rows': { operationId: 'listUsageRows', answer: UsageFineRows },
  'GET /v1/withdrawals': { operationId: 'listWithdrawals', answer: WithdrawalList },
  'POST /v1/withdrawals': { operationId: 'withdrawRecords', answer: Withdrawn },
} as const;

export type Operation = keyof typeof api;

/** Answers with status 200, by method and path. */
export type Answers = { readonly [Name in Operation]: AnswerOf<(typeof api)[Name]['answer']> };

/** The paths with this method. */
export type PathOf<Method extends 'GET' | 'POST'> = Operation extends infer Name
  ? Name extends `${Method} ${infer Path}`
    ? Path
    : never
  : never;
