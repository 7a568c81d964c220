/** What compactions dropped, cost and saved. */
import { bars, lines } from '../kit/chart.ts';
import type { Page } from '../kit/dashboard.ts';
import { grey, limits, second, solid } from '../kit/look.ts';
import { grown, inBars, legend, quantile, share, sum, sumBy } from '../kit/promql.ts';
import { compactionFigures, compactionTables } from './compactions-exact.ts';

const untimed = 'Imported compactions: only a running host tells how long one took.';
const project = 'pi.project';
const tokens = { unit: 'short', decimals: 0 };

const live = [
  bars(
    {
      title: 'Compactions, by trigger',
      shows: 'Why the host compacted: by hand, at a threshold, after an overflow.',
      leftOut: 'The trigger of imported ones is not known.',
      unit: 'short',
    },
    [
      {
        expr: sumBy(['pi.compaction.trigger'], inBars('compactions')),
        legend: legend('pi.compaction.trigger'),
      },
    ],
    8,
  ),
  bars(
    {
      title: 'Compactions, by how they ended',
      shows: 'Completed, failed, or aborted.',
      leftOut: 'Failures of imported sessions, which files do not tell.',
      unit: 'short',
    },
    [
      {
        expr: sumBy(['pi.outcome'], inBars('compactions')),
        legend: legend('pi.outcome'),
      },
    ],
    8,
  ),
  lines(
    {
      title: 'Share of compactions that failed',
      shows: 'Failed compactions among all; a session that cannot compact ends in an overflow.',
      leftOut: 'Compactions that the user aborted count as not failed.',
      unit: 'percentunit',
      thresholds: limits(0.1),
    },
    [
      {
        expr: share(
          sum(grown('compactions', '$interval', { 'pi.outcome': 'failed' })),
          sum(grown('compactions', '$interval')),
        ),
        legend: 'failed',
        color: grey,
      },
    ],
    8,
  ),
  bars(
    {
      title: 'Compactions, by project',
      shows: 'Compactions of each project, however they ended.',
      leftOut: 'Summaries of branches.',
      unit: 'short',
    },
    [
      {
        expr: sumBy([project], inBars('compactions')),
        legend: legend(project),
      },
    ],
    8,
  ),
  lines(
    {
      title: 'Duration of compactions',
      shows: 'Half and 95 of 100 compactions took at most this long.',
      leftOut: untimed,
      unit: 's',
    },
    [
      {
        expr: quantile(0.5, 'compactionDuration', '$__rate_interval'),
        legend: 'half',
        color: solid,
      },
      {
        expr: quantile(0.95, 'compactionDuration', '$__rate_interval'),
        legend: '95 of 100',
        color: second,
      },
    ],
    8,
  ),
  lines(
    {
      title: 'Tokens before and after, median',
      shows: 'Tokens in the window before a compaction, and of the first answer after it.',
      leftOut: 'Compactions after which no answer came have no tokens after.',
      ...tokens,
    },
    [
      { expr: quantile(0.5, 'tokensBefore', '$__rate_interval'), legend: 'before', color: second },
      { expr: quantile(0.5, 'tokensAfter', '$__rate_interval'), legend: 'after', color: solid },
    ],
    8,
  ),
  bars(
    {
      title: 'Metered cost of summaries',
      shows: 'What the calls that made summaries of compactions cost, billed by use.',
      leftOut: 'Summaries whose cost was not reported, subscriptions, unknown billing.',
      unit: 'currencyUSD',
    },
    [
      {
        expr: sumBy(
          [project],
          inBars('cost', {
            'pi.billing': 'metered',
            'pi.spend.kind': 'compaction',
          }),
        ),
        legend: legend(project),
      },
    ],
  ),
  bars(
    {
      title: 'Summaries by subscription, at list price',
      shows: 'The list price of summaries that a subscription covers: nobody bills it.',
      leftOut: 'Summaries whose cost was not reported, metered ones, unknown billing.',
      unit: 'currencyUSD',
    },
    [
      {
        expr: sumBy(
          [project],
          inBars('cost', {
            'pi.billing': 'subscription',
            'pi.spend.kind': 'compaction',
          }),
        ),
        legend: legend(project),
      },
    ],
  ),
];

export const compactions: Page = {
  name: 'compactions',
  title: 'Compactions',
  description: 'What compactions dropped, cost and saved, and what had to be read again.',
  variables: ['project', 'model', 'host', 'interval'],
  from: 'now-30d',
  page: '/compactions',
  sections: [
    { title: 'Did they pay?', panels: compactionFigures },
    { title: 'Live', panels: live },
    { title: 'Audit, exact', panels: compactionTables },
  ],
};
