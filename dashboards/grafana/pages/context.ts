/** How full context windows are, and what is read from the cache. */
import { bars, lines } from '../kit/chart.ts';
import type { Page } from '../kit/dashboard.ts';
import { heatmap } from '../kit/heatmap.ts';
import { ask, inRange, whereProject } from '../kit/infinity.ts';
import { limits, second, solid } from '../kit/look.ts';
import {
  grown,
  increase,
  legend,
  maxBy,
  quantile,
  series,
  share,
  sum,
  sumBy,
} from '../kit/promql.ts';
import { liveFigure } from '../kit/stat.ts';
import { table } from '../kit/table.ts';
import { cached, newInput } from './token-bars.ts';

const model = 'gen_ai.request.model';
const untold = 'Answers of models whose window no host told.';
const share01 = { unit: 'percentunit', decimals: 0 };
/** Hosts compact by themselves between 80 and 92 % of most windows. */
const nearlyFull = limits(0.8, 0.95);

const figures = [
  liveFigure(
    {
      title: 'Fullest window of the last hour',
      shows: 'The fullest context window among all sessions of the last hour.',
      leftOut: `${untold} Older sessions.`,
      ...share01,
      thresholds: nearlyFull,
    },
    [{ expr: `max(${series('utilizationMax')})`, legend: 'fullest' }],
  ),
  liveFigure(
    {
      title: 'Half of the answers below',
      shows: 'The median of how full the window was after an answer, in the range.',
      leftOut: untold,
      ...share01,
    },
    [{ expr: quantile(0.5, 'utilization', '$__range'), legend: 'p50' }],
  ),
  liveFigure(
    {
      title: '95 of 100 answers below',
      shows: 'The 95th percentile of how full the window was after an answer, in the range.',
      leftOut: untold,
      ...share01,
      thresholds: nearlyFull,
    },
    [{ expr: quantile(0.95, 'utilization', '$__range'), legend: 'p95' }],
  ),
  liveFigure(
    {
      title: 'Input from the cache',
      shows: 'The part of the input tokens of the range that was read from the cache.',
      leftOut: 'Attempts that reported no usage.',
      ...share01,
    },
    [
      {
        expr: share(
          sum(grown('cacheReadTokens', '$__range')),
          sum(grown('inputTokens', '$__range')),
        ),
        legend: 'from the cache',
      },
    ],
  ),
];

const windows = [
  lines(
    {
      title: 'Fullest window of each project',
      shows: 'The fullest context window among the sessions of an hour.',
      leftOut: untold,
      ...share01,
      thresholds: nearlyFull,
    },
    [
      {
        expr: maxBy(['pi.project'], series('utilizationMax')),
        legend: legend('pi.project'),
      },
    ],
  ),
  heatmap(
    {
      title: 'How full windows are after answers',
      shows: 'How many answers left the window how full: each row is a bucket.',
      leftOut: untold,
      unit: 'short',
    },
    `sum by (le) (${increase('utilization', '$__rate_interval', {}, '_bucket')})`,
  ),
  lines(
    {
      title: 'Fullness after answers',
      shows: 'Half and 95 of 100 answers left the window at most this full.',
      leftOut: untold,
      ...share01,
      thresholds: nearlyFull,
    },
    [
      { expr: quantile(0.5, 'utilization', '$__rate_interval'), legend: 'half', color: solid },
      {
        expr: quantile(0.95, 'utilization', '$__rate_interval'),
        legend: '95 of 100',
        color: second,
      },
    ],
  ),
  lines(
    {
      title: 'Fullness of 95 of 100 answers, by model',
      shows: 'The 95th percentile of how full the window of each model was after an answer.',
      leftOut: untold,
      ...share01,
      thresholds: nearlyFull,
    },
    [
      {
        expr: quantile(0.95, 'utilization', '$__rate_interval', [model]),
        legend: legend(model),
      },
    ],
  ),
];

const sent = [
  bars(
    {
      title: 'Input sent',
      shows: 'Input tokens: new, read from the cache, or written to it.',
      leftOut: 'Attempts that reported no usage.',
      unit: 'short',
    },
    [newInput, ...cached],
  ),
  lines(
    {
      title: 'Input from the cache, by model',
      shows: 'The part of the input tokens that was read from the cache.',
      leftOut: 'Attempts that reported no usage.',
      ...share01,
    },
    [
      {
        expr: share(
          sumBy([model], grown('cacheReadTokens', '$interval')),
          sumBy([model], grown('inputTokens', '$interval')),
        ),
        legend: legend(model),
      },
    ],
  ),
  lines(
    {
      title: 'Input of an answer',
      shows: 'Input tokens by record of usage: what an answer sent, on average.',
      leftOut: 'Attempts that reported no usage count as records without tokens.',
      unit: 'short',
    },
    [
      {
        expr: share(
          sumBy([model], grown('inputTokens', '$interval')),
          sumBy([model], grown('records', '$interval')),
        ),
        legend: legend(model),
      },
    ],
  ),
  table(
    {
      title: 'Sessions that sent most from the cache',
      shows: 'The 1,000 newest sessions of the range, with what they sent.',
      leftOut: 'Attempts that reported no usage.',
    },
    ask(
      '/v1/sessions',
      'rows',
      { ...inRange, limit: 1000 },
      (cell) => [
        cell.text('Session', 'id', { width: 110, page: 'sessions' }),
        cell.text('Project', 'project', { page: 'projects' }),
        cell.count('Turns', 'turns'),
        cell.count('Compactions', 'compactions'),
        cell.count('New input', 'inputTokens', { unit: 'short' }),
        cell.count('Read from cache', 'cacheReadTokens', { unit: 'short' }),
        cell.count('Written to cache', 'cacheWriteTokens', { unit: 'short' }),
        cell.count('Output', 'outputTokens', { unit: 'short' }),
      ],
      whereProject,
    ),
    { sortedBy: 'Read from cache' },
  ),
];

export const context: Page = {
  name: 'context',
  title: 'Context',
  description: 'How full context windows are, what is sent again, and what comes from the cache.',
  variables: ['project', 'model', 'host', 'interval'],
  from: 'now-7d',
  page: '/',
  sections: [
    { title: 'In short', panels: figures },
    { title: 'Windows', panels: windows },
    { title: 'What is sent', panels: sent },
  ],
};
