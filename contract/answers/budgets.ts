import { Type } from 'typebox';
import {
  BudgetAmount,
  BudgetCrossingState,
  BudgetForecast,
  BudgetPer,
  BudgetPeriod,
  BudgetStateName,
  BudgetUnit,
  BudgetVersion,
  budgetExample,
  budgetPeriodExample,
  budgetVersionExample,
} from '../budget.ts';
import { type AnswerOf, Next, OrNull, TextOrNull } from './fields.ts';

const exampleCrossing = {
  number: 1,
  at: '2026-11-21T15:02:11.480Z',
  from: 'ok' as const,
  to: 'warning' as const,
  forecast: null,
  used: '161.204417',
  isAtLeast: true,
  isFirst: true,
};

const crossingFields = {
  number: Type.Integer({ description: 'Within the period, from 1.' }),
  at: Type.String({ description: 'When the collector saw it. ISO 8601, UTC.' }),
  from: BudgetCrossingState,
  to: BudgetCrossingState,
  forecast: OrNull(BudgetForecast, 'What a crossing to `forecast` rests on; null of any other.'),
  used: BudgetAmount,
  isAtLeast: Type.Boolean(),
  isFirst: Type.Boolean({
    description: 'The first time in this period that it is in this state: a notice was due.',
  }),
};

const Crossing = Type.Object(crossingFields, {
  title: 'BudgetCrossing',
  examples: [exampleCrossing],
});

const scopeFields = {
  project: OrNull(Type.String(), 'Whose spend counts; null: of any. So with the next four.'),
  user: TextOrNull,
  model: TextOrNull,
  provider: TextOrNull,
  label: OrNull(Type.String(), '`team=checkout`'),
};

const Forecast = Type.Object(
  {
    low: BudgetAmount,
    middle: BudgetAmount,
    high: BudgetAmount,
    basis: Type.String({ description: 'What it was computed from, for people.' }),
  },
  { description: "What will be used at the period's end, in `unit`." },
);

const exampleBudget = {
  name: 'shop',
  version: budgetVersionExample,
  ...budgetExample,
  raised: null,
  endsHeadlessRuns: false,
  warnByForecast: false,
  verifiedOnly: false,
  period: budgetPeriodExample,
  used: '171.5533',
  usedShare: 0.8577665,
  isAtLeast: true,
  unpricedRecords: 12,
  unreportedRecords: 1,
  unknownBillingRecords: 0,
  unverified: null,
  state: 'warning' as const,
  forecast: {
    low: '190.1',
    middle: '214.75',
    high: '251.0309',
    basis: 'the same weekdays of the last 4 weeks',
  },
  noForecast: null,
  fullAt: '2026-11-28T13:20:00.000Z',
  crossings: [exampleCrossing],
};

export const Budget = Type.Object(
  {
    name: Type.String(),
    version: BudgetVersion,
    ...scopeFields,
    per: BudgetPer,
    unit: BudgetUnit,
    limit: BudgetAmount,
    raised: OrNull(
      Type.Object({
        until: Type.String({ description: 'The last day of it, in `timeZone`.' }),
        usualLimit: BudgetAmount,
      }),
      '`limit` is raised for some days. Null: it is the usual one.',
    ),
    warnAt: Type.Integer({ description: 'Percent of the limit.' }),
    isHard: Type.Boolean({ description: 'The agent asks a person before the next prompt.' }),
    endsHeadlessRuns: Type.Boolean({
      description: 'Runs without a person (print, JSON, RPC) end while it is over.',
    }),
    warnByForecast: Type.Boolean({
      description: 'There is a notice when the forecast passes the limit.',
    }),
    verifiedOnly: Type.Boolean({
      description: 'Only what arrived with a token counts; `unverified` says what does not.',
    }),
    timeZone: Type.String({ description: 'Whose days, weeks and months count.' }),
    period: OrNull(BudgetPeriod, 'The current one, its end exclusive. Null: no window is known.'),
    used: OrNull(BudgetAmount, 'In `unit`; null: not known.'),
    usedShare: OrNull(Type.Number(), '1: all of it.'),
    isAtLeast: Type.Boolean({
      description: 'Records are left out of `used`, whose amount or billing is not known.',
    }),
    unpricedRecords: Type.Integer({ description: 'Without a price.' }),
    unreportedRecords: Type.Integer({ description: 'Attempts whose spend is not known.' }),
    unknownBillingRecords: Type.Integer({ description: 'Metered or subscription: not known.' }),
    unverified: OrNull(
      Type.Object({
        used: BudgetAmount,
        records: Type.Integer({ description: 'Those without an amount among them.' }),
      }),
      'What reports count here and this budget does not, because it came without a token, or one ' +
        'says that it belongs elsewhere. Null: all counts, or it is not known.',
    ),
    state: OrNull(BudgetStateName, 'Null: not known.'),
    forecast: OrNull(Forecast, 'Null: `noForecast` says why.'),
    noForecast: OrNull(Type.String(), 'For people: why there is no forecast.'),
    fullAt: OrNull(
      Type.String(),
      'An estimate: when the limit is reached. Null: not in this period, reached already, or not ' +
        'known. ISO 8601, UTC.',
    ),
    crossings: Type.Array(Crossing, { description: 'Of this period, oldest first.' }),
  },
  { title: 'Budget', examples: [exampleBudget] },
);
export type Budget = AnswerOf<typeof Budget>;

/** `GET /v1/budgets` */
export const BudgetList = Type.Object(
  {
    at: Type.String({ description: 'When this was computed.' }),
    rows: Type.Array(Budget, { description: 'By name.' }),
    leftOut: Type.Array(Type.String(), {
      description:
        'For people: which budgets of the settings do not hold, and why. Callers with limits ' +
        'learn that there are some.',
    }),
  },
  {
    title: 'BudgetList',
    description: 'How much of each budget is used.',
    examples: [{ at: '2026-11-22T19:40:00.000Z', rows: [exampleBudget], leftOut: [] }],
  },
);
export type BudgetList = AnswerOf<typeof BudgetList>;

const { warnAt, isHard, timeZone, ...ofRows } = budgetExample;
const exampleRow = {
  budget: 'shop',
  version: budgetVersionExample,
  ...ofRows,
  period: budgetPeriodExample,
  ...exampleCrossing,
};

const CrossingRow = Type.Object(
  {
    budget: Type.String(),
    version: BudgetVersion,
    ...scopeFields,
    per: BudgetPer,
    period: BudgetPeriod,
    ...crossingFields,
    limit: BudgetAmount,
    unit: BudgetUnit,
  },
  { title: 'BudgetCrossingRow', examples: [exampleRow] },
);
export type BudgetCrossingRow = AnswerOf<typeof CrossingRow>;

/** `GET /v1/budgets/crossings` */
export const BudgetCrossingList = Type.Object(
  { rows: Type.Array(CrossingRow, { description: 'Newest first.' }), next: Next },
  {
    title: 'BudgetCrossingList',
    description: 'When budgets came into another state.',
    examples: [{ rows: [exampleRow], next: null }],
  },
);
export type BudgetCrossingList = AnswerOf<typeof BudgetCrossingList>;
