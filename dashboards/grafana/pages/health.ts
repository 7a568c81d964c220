/** Whether all that agents did arrives, is counted, and goes on. */
import type { Page } from '../kit/dashboard.ts';
import { ask } from '../kit/infinity.ts';
import { limits } from '../kit/look.ts';
import type { Said } from '../kit/panel.ts';
import { health as metric, series } from '../kit/promql.ts';
import { figure, liveFigure } from '../kit/stat.ts';
import { table } from '../kit/table.ts';
import { ingest, steps } from './health-charts.ts';

const perProcess = 'Collectors that do not send their own metrics.';

function now(said: Omit<Said, 'unit' | 'decimals'>, expr: string) {
  const counted = { leftOut: perProcess, ...said, unit: 'short', decimals: 0 };
  return liveFigure(counted, [{ expr, legend: 'now' }], 4);
}

const answers = [
  figure(
    {
      title: 'Are the totals whole?',
      shows: 'Why no events are taken, or why views do not advance.',
    },
    ask('/v1/standing', '$', {}, (cell) => [
      cell.note('Events', 'trouble', 'taken'),
      cell.note('Views', 'problem', 'advance'),
    ]),
    8,
  ),
  now(
    {
      title: 'Events not exported yet',
      shows: 'How far the slowest exporter is behind the log.',
      thresholds: limits(10_000, 1_000_000),
    },
    `max(${metric('subscriberLag')})`,
  ),
  now(
    {
      title: 'Exporters that do not advance',
      shows: 'Exporters whose endpoint does not answer or refuses. Ingest is not touched.',
      thresholds: limits(1),
    },
    `sum(${metric('subscriberFailing')})`,
  ),
  now(
    {
      title: 'Dropped by producers',
      shows: 'Events that the producers of the last 24 hours could not record: they are lost.',
      thresholds: limits(1, 100),
    },
    `sum(${metric('producersDropped')})`,
  ),
  now(
    {
      title: 'Producers silent',
      shows: 'Producers whose oldest unsent event has waited for 5 minutes or more.',
      leftOut: "Producers on other machines: see their own collectors' spools.",
      thresholds: limits(1),
    },
    `sum(${metric('producersSilent')})`,
  ),
];

const tables = [
  table(
    {
      title: 'Views',
      shows: 'Whether each view has all that was acknowledged, and what it could not fold.',
      leftOut: 'Events that are set aside are in no figure.',
    },
    ask('/v1/standing', 'views', {}, (cell) => [
      cell.text('View', 'projection'),
      cell.yesNo('State', 'isBehind', '! behind', 'ok'),
      cell.time('Behind since', 'behindSince'),
      cell.count('Set aside', 'setAside'),
    ]),
  ),
  table(
    {
      title: 'Exporters',
      shows: 'How far each exporter has come in the log, and why it does not advance.',
      leftOut: 'Exporters that are not configured.',
      noData: 'No exporter is configured: set OTEL_EXPORTER_OTLP_ENDPOINT.',
    },
    ask('/health/ready', 'subscribers', {}, (cell) => [
      cell.text('Exporter', 'name'),
      cell.count('Position', 'position'),
      cell.count('Newest event', 'head'),
      cell.note('State', 'failure', 'ok'),
    ]),
  ),
  now(
    {
      title: 'Dead letters',
      shows: 'Rejected events that are kept: `pi-ledger rejected list` shows them.',
      thresholds: limits(1),
    },
    `sum(${metric('deadLetters')})`,
  ),
  now(
    {
      title: 'Series that the limit hides',
      shows: 'Series beyond the limit. Their sums are in the series with `otel.metric.overflow`.',
      leftOut: 'Nothing: sums by billing stay exact.',
      thresholds: limits(1),
    },
    `max(${series('hiddenSeries')})`,
  ),
  now(
    {
      title: 'Collectors that write',
      shows: 'One collector of a store leads and writes; the others stand by.',
    },
    `sum(${metric('leader')})`,
  ),
];

export const health: Page = {
  name: 'health',
  title: 'Fleet health',
  description: 'Whether all that agents did arrives, is counted and goes on to where it should.',
  variables: [],
  from: 'now-6h',
  page: '/health',
  sections: [
    { title: 'Is anything wrong?', panels: answers },
    { title: 'From event to dashboard', panels: tables },
    { title: 'Arriving', panels: ingest },
    { title: 'Going on', panels: steps },
  ],
};
