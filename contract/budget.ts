/** What a budget says, in its events and in answers. */
import { type Static, Type } from 'typebox';
import { Count, Name, Nullable } from './fields.ts';

/**
 * Calendar periods in the budget's time zone, weeks from Monday; as many days, one period after the
 * other (2 to 366); or a subscription's windows.
 */
export const BudgetPer = Type.Union([
  Type.Enum(['day', 'week', 'month', '5h window', 'week window']),
  Type.String({ pattern: '^([2-9]|[1-9]\\d|[12]\\d\\d|3[0-5]\\d|36[0-6]) days$' }),
]);

/**
 * `metered dollars` and `list-price dollars` (what subscriptions used, at list price) are never one
 * sum. `percent`: of a window.
 */
export const BudgetUnit = Type.Enum(['metered dollars', 'list-price dollars', 'tokens', 'percent']);

export const BudgetStateName = Type.Enum(['ok', 'warning', 'over']);

/**
 * What a crossing leads from and to. `forecast`: it is ok, and likely to pass its limit; said once
 * in a period, of budgets with `warnByForecast`.
 */
export const BudgetCrossingState = Type.Enum(['ok', 'forecast', 'warning', 'over']);

/** Exact, in a budget's unit: `200`, `0.0123`. */
export const BudgetAmount = Type.String({ pattern: '^\\d{1,40}(\\.\\d{1,9})?$' });

/** 16 hex digits of a hash over all that the definition says. */
export const BudgetVersion = Type.String({ pattern: '^[0-9a-f]{16}$' });

const Day = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$' });
const Instant = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' });

/** What a crossing to `forecast` rests on. Amounts at the period's end, in the budget's unit. */
export const BudgetForecast = Type.Object({
  low: BudgetAmount,
  middle: BudgetAmount,
  high: BudgetAmount,
  /** When the middle reaches the limit. */
  fullAt: Instant,
});

/** The end is exclusive. */
export const BudgetPeriod = Type.Object({ start: Instant, end: Instant });

/** Whose spend counts; null: anybody's. */
export const budgetScope = {
  project: Nullable(Name),
  user: Nullable(Name),
  model: Nullable(Name),
  provider: Nullable(Name),
  /** `team=checkout` */
  label: Nullable(Name),
};

export const BudgetDefinition = Type.Object({
  ...budgetScope,
  per: BudgetPer,
  /** The first day of one of its periods, `2026-11-02`: of a budget per so many days alone. */
  from: Type.Optional(Day),
  unit: BudgetUnit,
  limit: BudgetAmount,
  /** Instead of `limit`, until this day (`2026-11-30`) ends in `timeZone`. Both, or neither. */
  raisedTo: Type.Optional(BudgetAmount),
  raisedUntil: Type.Optional(Day),
  /** Percent of the limit. */
  warnAt: Count,
  /** The agent asks a person before the next prompt. */
  isHard: Type.Boolean(),
  /** Runs without a person end while it is over. Said only where it is so: absent is no. */
  endsHeadlessRuns: Type.Optional(Type.Boolean()),
  /** True, or absent: versions of before are the same. */
  warnByForecast: Type.Optional(Type.Boolean()),
  /** Counts only what arrived with a token. True, or absent, as above. */
  verifiedOnly: Type.Optional(Type.Boolean()),
  /** IANA name. */
  timeZone: Name,
});

/** What the examples of events and answers tell of: one budget, in one month. */
export const budgetExample: BudgetDefinition = {
  project: 'shop',
  user: null,
  model: null,
  provider: null,
  label: null,
  per: 'month',
  unit: 'metered dollars',
  limit: '200',
  warnAt: 80,
  isHard: false,
  timeZone: 'Europe/Berlin',
};
export const budgetVersionExample = '3f9a1c0b7d2e4856';
/** November in Berlin. */
export const budgetPeriodExample: BudgetPeriod = {
  start: '2026-10-31T23:00:00.000Z',
  end: '2026-11-30T23:00:00.000Z',
};

export type BudgetDefinition = Static<typeof BudgetDefinition>;
export type BudgetPeriod = Static<typeof BudgetPeriod>;
export type BudgetCrossingState = Static<typeof BudgetCrossingState>;
export type BudgetForecast = Static<typeof BudgetForecast>;
export type BudgetStateName = Static<typeof BudgetStateName>;
