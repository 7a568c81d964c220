/** Answers of models. */
import { modelTable } from '@pi-ledger/contract/columns/models';
import { columnCells } from '../kit/answer-columns.ts';
import { bars, lines, rest } from '../kit/chart.ts';
import { ask, inRange } from '../kit/infinity.ts';
import { toModel, toModels } from '../kit/links.ts';
import { limits, second, solid } from '../kit/look.ts';
import {
  grown,
  inBars,
  leading,
  legend,
  plus,
  quantile,
  rate,
  share,
  sum,
  sumBy,
} from '../kit/promql.ts';
import { liveFigure } from '../kit/stat.ts';
import { table } from '../kit/table.ts';
import { unpriced } from './spend-cells.ts';

const interpolated = 'Interpolated within a bucket; what is above the last bound counts as it.';
const untimed = `Answers whose duration no host told, and imported ones. ${interpolated}`;
const model = 'gen_ai.request.model';
const second2 = { unit: 's', decimals: 1 };

export const answerFigures = [
  liveFigure(
    {
      title: 'Half of the answers within',
      shows: 'Median time from the request to the end of the answer.',
      leftOut: untimed,
      ...second2,
    },
    [{ expr: quantile(0.5, 'answerDuration', '$__range'), legend: 'p50' }],
  ),
  liveFigure(
    {
      title: '95 of 100 answers within',
      shows: 'The 95th percentile from the request to the end of the answer.',
      leftOut: untimed,
      ...second2,
    },
    [{ expr: quantile(0.95, 'answerDuration', '$__range'), legend: 'p95' }],
  ),
  liveFigure(
    {
      title: 'First chunk, half within',
      shows: "Median time to the first token (omp) or to the start of the answer's stream (pi).",
      leftOut: untimed,
      ...second2,
    },
    [{ expr: quantile(0.5, 'firstChunk', '$__range'), legend: 'p50' }],
  ),
  liveFigure(
    {
      title: 'Answers that failed',
      shows: 'Failed answers in the range. What they cost is not known.',
      leftOut: 'Answers that the user aborted.',
      unit: 'short',
      decimals: 0,
    },
    [{ expr: sum(grown('errors', '$__range')), legend: 'failed' }],
  ),
];

const rows = ask('/v1/models', 'rows', { ...inRange, limit: 1000 }, () =>
  columnCells(modelTable, {}),
);

const failures = leading('errors', 'error.type');

export const answers = [
  table(
    {
      title: 'Each model',
      shows: 'Answers, durations, errors and cost in the days of the range.',
      leftOut: `${unpriced} Durations that no host told. Retries of pi, which does not tell.`,
    },
    rows,
    { width: 24, links: { Model: [toModels, toModel] } },
  ),
  lines(
    {
      title: 'Duration of answers',
      shows: 'Half and 95 of 100 answers were at most this long.',
      leftOut: untimed,
      ...second2,
    },
    [
      { expr: quantile(0.5, 'answerDuration', '$__rate_interval'), legend: 'half', color: solid },
      {
        expr: quantile(0.95, 'answerDuration', '$__rate_interval'),
        legend: '95 of 100',
        color: second,
      },
    ],
    8,
  ),
  lines(
    {
      title: 'Time to the first chunk',
      shows: 'Half and 95 of 100 answers began within this.',
      leftOut: untimed,
      ...second2,
    },
    [
      { expr: quantile(0.5, 'firstChunk', '$__rate_interval'), legend: 'half', color: solid },
      {
        expr: quantile(0.95, 'firstChunk', '$__rate_interval'),
        legend: '95 of 100',
        color: second,
      },
    ],
    8,
  ),
  lines(
    {
      title: '95 of 100 answers within, by model',
      shows: 'The 95th percentile of the duration of each model.',
      leftOut: untimed,
      ...second2,
    },
    [
      {
        expr: quantile(0.95, 'answerDuration', '$__rate_interval', [model]),
        legend: legend(model),
      },
    ],
    8,
  ),
  lines(
    {
      title: 'First chunk of 95 of 100 within, by model',
      shows: 'The 95th percentile of the time to the first chunk of each model.',
      leftOut: untimed,
      ...second2,
    },
    [
      {
        expr: quantile(0.95, 'firstChunk', '$__rate_interval', [model]),
        legend: legend(model),
      },
    ],
    8,
  ),
  bars(
    {
      title: 'Failed answers, by error',
      shows: 'The five most frequent HTTP statuses in the range, and the others.',
      leftOut: 'What failed answers cost: nobody knows.',
      unit: 'short',
    },
    [{ expr: failures.five, legend: legend('error.type') }, rest(failures.others)],
    8,
  ),
  lines(
    {
      title: 'Share of answers that failed, by model',
      shows: 'Failed answers among those that ended, failed or not.',
      leftOut: 'Successful answers whose duration no host told, so that the share is at most this.',
      unit: 'percentunit',
      thresholds: limits(0.1),
    },
    [
      {
        expr: share(
          sumBy([model], grown('errors', '$interval')),
          plus(
            sumBy([model], grown('errors', '$interval')),
            sumBy([model], grown('answerDuration', '$interval', {}, '_count')),
          ),
        ),
        legend: legend(model),
      },
    ],
    8,
  ),
  bars(
    {
      title: 'Retries that hosts announced',
      shows: 'Retries that omp announced, by model.',
      leftOut: 'Retries of pi, which does not tell of them.',
      unit: 'short',
    },
    [
      {
        expr: sumBy([model], inBars('retries')),
        legend: legend(model),
      },
    ],
    8,
  ),
  lines(
    {
      title: 'Output of each model',
      shows: 'Tokens received in a second, with reasoning.',
      leftOut: 'Attempts that reported no usage.',
      unit: 'short',
    },
    [
      {
        expr: sumBy([model], rate('outputTokens', '$__rate_interval')),
        legend: legend(model),
      },
    ],
    8,
  ),
  lines(
    {
      title: 'Reasoning in the output',
      shows: 'The part of the output tokens that was reasoning, by model.',
      leftOut: 'Models and hosts that do not tell of reasoning count as none.',
      unit: 'percentunit',
    },
    [
      {
        expr: share(
          sumBy([model], grown('reasoningTokens', '$interval')),
          sumBy([model], grown('outputTokens', '$interval')),
        ),
        legend: legend(model),
      },
    ],
    8,
  ),
];
