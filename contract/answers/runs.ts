import { Type } from 'typebox';
import { type AnswerOf, columnsOf, hiddenNames, Next, TextOrNull } from './fields.ts';
import { PercentileOrNull } from './timings.ts';

/** What runs can be grouped by. */
export const runGroupings = ['project', 'user', 'host', 'agent', 'outcome', 'day'] as const;
export type RunGrouping = (typeof runGroupings)[number];

const runFigureFields = {
  runs: Type.Integer({ description: 'From a prompt until the agent is idle, as hosts saw them.' }),
  completedRuns: Type.Integer(),
  failedRuns: Type.Integer(),
  abortedRuns: Type.Integer(),
  cutOffRuns: Type.Integer({ description: "Ended at the model's limit of output." }),
  turns: Type.Integer(),
  attempts: Type.Integer({ description: 'More than the runs where hosts retried.' }),
  toolCalls: Type.Integer(),
  errors: Type.Integer({ description: 'Turns that failed or were aborted; tools that failed.' }),
  filesModified: Type.Integer({ description: 'Different files within a run; runs add up.' }),
  durationP50: PercentileOrNull,
  durationP95: PercentileOrNull,
};

const figures = {
  runs: 4,
  completedRuns: 3,
  failedRuns: 0,
  abortedRuns: 1,
  cutOffRuns: 0,
  turns: 21,
  attempts: 4,
  toolCalls: 17,
  errors: 2,
  filesModified: 5,
  durationP50: { ms: 61_000, is: 'interpolated' },
  durationP95: { ms: 409_600, is: 'at least' },
};

export const RunFigures = Type.Object(runFigureFields, {
  title: 'RunFigures',
  examples: [figures],
});
export type RunFigures = AnswerOf<typeof RunFigures>;

const labels = Object.fromEntries(
  runGroupings.map((grouping) => [grouping, Type.Optional(TextOrNull)]),
) as Record<RunGrouping, ReturnType<typeof Type.Optional<typeof TextOrNull>>>;

export const RunRow = Type.Object(
  { ...labels, ...runFigureFields },
  {
    title: 'RunRow',
    description: 'The label has the name of `by`; null: unknown.',
    examples: [{ project: 'shop', ...figures }],
  },
);
export type RunRow = AnswerOf<typeof RunRow>;

/** In the order of the CSV columns. */
export const runFigureColumns = columnsOf(figures);

/** `GET /v1/runs` */
export const RunList = Type.Object(
  {
    by: Type.Enum([...runGroupings]),
    rows: Type.Array(RunRow),
    total: RunFigures,
    hiddenNames,
    next: Next,
  },
  {
    title: 'RunList',
    description:
      'Sorted by runs; days by time. `total` covers all rows, not just this page. Imported ' +
      'sessions have no runs.',
    examples: [
      { by: 'project', rows: [{ project: 'shop', ...figures }], total: figures, next: null },
    ],
  },
);
export type RunList = AnswerOf<typeof RunList>;
