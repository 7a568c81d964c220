import { Type } from 'typebox';
import {
  type AnswerOf,
  columnsOf,
  hiddenNames,
  NanoUsd,
  Next,
  OrNull,
  TextOrNull,
} from '../fields.ts';
import { Percentile, PercentileOrNull } from '../timings.ts';
import { figureFields, figuresExample } from '../usage/schema.ts';

const CostPer1k = (description: string) =>
  OrNull(NanoUsd(`${description} Null: no answer of this kind has a price and output.`));

const Status = Type.Object({
  status: OrNull(Type.Integer(), 'HTTP status; null: the host did not say.'),
  failedAnswers: Type.Integer({ description: 'Attempts that failed with it, by their entries.' }),
  errorResponses: Type.Integer({
    description: 'Responses with it, as running hosts saw them; partly of the same attempts.',
  }),
});

const attemptFields = {
  answers: Type.Integer({ description: 'Every answer and every attempt.' }),
  failedAnswers: Type.Integer(),
};

const speedFields = {
  timedAnswers: Type.Integer({ description: 'Answers that came, and whose duration is known.' }),
  durationP50: PercentileOrNull,
  durationP95: PercentileOrNull,
  firstP50: OrNull(
    Percentile,
    "Until the answer's first token (omp) or the start of its stream (pi).",
  ),
  firstP95: PercentileOrNull,
  outputTokensPerSecond: OrNull(
    Type.Number(),
    'Of answers whose duration is known, from the request to the end; null: of none.',
  ),
};

const modelFigureFields = {
  ...figureFields,
  ...attemptFields,
  abortedAnswers: Type.Integer(),
  cutOffAnswers: Type.Integer({ description: "Stopped at the model's limit of output." }),
  retries: OrNull(
    Type.Integer(),
    'Scheduled by omp; pi does not tell. Null: no answer came by a host that does.',
  ),
  retriesGivenUp: OrNull(Type.Integer(), 'Times that the host gave up; like retries.'),
  ...speedFields,
  costPer1kOutput: Type.Object(
    {
      meteredNanoUsd: CostPer1k('Billed by use.'),
      subscriptionNanoUsd: CostPer1k('At list price.'),
      unknownBillingNanoUsd: CostPer1k('Of unknown billing.'),
    },
    { description: 'What an answer cost in all, by 1,000 tokens of its output.' },
  ),
  statuses: Type.Array(Status, { description: 'Errors by HTTP status, the most frequent first.' }),
};

const attempts = { answers: 11, failedAnswers: 1 };
const speed = {
  timedAnswers: 10,
  durationP50: { ms: 9_130.5, is: 'interpolated' },
  durationP95: { ms: 81_920, is: 'at least' },
  firstP50: { ms: 812.4, is: 'interpolated' },
  firstP95: { ms: 2_240, is: 'interpolated' },
  outputTokensPerSecond: 62.1,
};
const figures = {
  ...figuresExample,
  ...attempts,
  abortedAnswers: 0,
  cutOffAnswers: 0,
  retries: 1,
  retriesGivenUp: 0,
  ...speed,
  costPer1kOutput: {
    meteredNanoUsd: '65432000',
    subscriptionNanoUsd: null,
    unknownBillingNanoUsd: null,
  },
  statuses: [{ status: 529, failedAnswers: 1, errorResponses: 1 }],
};

export const ModelFigures = Type.Object(modelFigureFields, {
  title: 'ModelFigures',
  examples: [figures],
});
export type ModelFigures = AnswerOf<typeof ModelFigures>;

const modelFields = { provider: TextOrNull, model: TextOrNull, ...modelFigureFields };
const row = { provider: 'anthropic', model: 'claude-sonnet-5', ...figures };

export const ModelRow = Type.Object(modelFields, { title: 'ModelRow', examples: [row] });
export type ModelRow = AnswerOf<typeof ModelRow>;

/** The columns of the CSV, in order. */
export const modelColumns = columnsOf(row);

/** `GET /v1/models` */
export const ModelList = Type.Object(
  { rows: Type.Array(ModelRow), total: ModelFigures, hiddenNames, next: Next },
  {
    title: 'ModelList',
    description: 'Sorted by cost, then tokens. `total` covers all rows, not just this page.',
    examples: [{ rows: [row], total: figures, next: null }],
  },
);
export type ModelList = AnswerOf<typeof ModelList>;

const modelDay = {
  day: '2026-11-22',
  provider: 'anthropic',
  model: 'claude-sonnet-5',
  ...attempts,
  ...speed,
};

/** A model on a day of whoever worked. */
export const ModelDay = Type.Object(
  { day: Type.String(), provider: TextOrNull, model: TextOrNull, ...attemptFields, ...speedFields },
  { title: 'ModelDay', examples: [modelDay] },
);
export type ModelDay = AnswerOf<typeof ModelDay>;

/** The columns of the CSV, in order. */
export const modelDayColumns = columnsOf(modelDay);

/** `GET /v1/models/days` */
export const ModelDayList = Type.Object(
  { rows: Type.Array(ModelDay), hiddenNames, next: Next },
  {
    title: 'ModelDayList',
    description: 'Days on which a model answered, or failed to, by day, then by name.',
    examples: [{ rows: [modelDay], next: null }],
  },
);
export type ModelDayList = AnswerOf<typeof ModelDayList>;
