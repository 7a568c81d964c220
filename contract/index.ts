/** The wire format. The extension imports this as types only. */
export * from './batch.ts';
export type {
  BudgetCrossingState,
  BudgetDefinition,
  BudgetForecast,
  BudgetPeriod,
  BudgetStateName,
} from './budget.ts';
export type { Content } from './content.ts';
export { Envelope } from './envelope.ts';
export type { EventType } from './event-type.ts';
export type { RateLimit } from './events/live/response-received.ts';
export { LabelChange, type Sizes } from './fields.ts';
export { Ownership } from './ownership.ts';
export { type EventData, type EventTypeName, eventTypes, type LedgerEvent } from './registry.ts';
export { Spend } from './spend.ts';
