/**
 * The collector's answers. Clients import this as types only: the schemas would slow their start.
 */
export * from './agent.ts';
export { type Answers, api, type Operation, type PathOf } from './api.ts';
export * from './billing.ts';
export * from './budget-deliveries.ts';
export * from './budgets.ts';
export * from './compactions/details-schema.ts';
export * from './compactions/schema.ts';
export * from './context.ts';
export * from './context-series.ts';
export * from './dead-letters.ts';
export * from './error.ts';
export * from './health.ts';
export * from './hosts.ts';
export * from './insights.ts';
export * from './labelled.ts';
export * from './live-line.ts';
export * from './models/schema.ts';
export * from './producers.ts';
export * from './quota.ts';
export * from './reconciliation.ts';
export * from './reprice.ts';
export * from './requests/schema.ts';
export * from './runs.ts';
export * from './sessions/schema.ts';
export * from './timeline.ts';
export * from './timings.ts';
export * from './tokens.ts';
export * from './tools/costs-schema.ts';
export * from './tools/models-schema.ts';
export * from './tools/schema.ts';
export * from './totals.ts';
export * from './usage/schema.ts';
export * from './usage-rows.ts';
export * from './withdrawn.ts';
