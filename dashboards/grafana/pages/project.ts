/** One project: what it cost, on what, by whom. */
import { sessionTable } from '@pi-ledger/contract/columns/sessions';
import { columnCells } from '../kit/answer-columns.ts';
import { bars, lines } from '../kit/chart.ts';
import type { Page } from '../kit/dashboard.ts';
import { ask, inRange, ofProject } from '../kit/infinity.ts';
import { toModel, toModels } from '../kit/links.ts';
import { solid } from '../kit/look.ts';
import { grown, inBars, legend, share, sum, sumBy } from '../kit/promql.ts';
import { figure } from '../kit/stat.ts';
import { table } from '../kit/table.ts';
import { spendCells, unpriced } from './spend-cells.ts';
import { cached, output } from './token-bars.ts';

const asked = { by: 'day', ...ofProject, ...inRange };
const listPrice = 'List price of what a subscription covers: nobody bills it.';

const figures = [
  figure(
    {
      title: 'Metered',
      shows: 'What the project cost in the days of the range, billed by use.',
      leftOut: `${unpriced} Subscriptions, and what is of unknown billing.`,
    },
    ask('/v1/usage', 'total', asked, (cell) => [
      cell.figure('Metered', 'meteredNanoUsd', 'byBilling.metered.unpricedRecords'),
    ]),
  ),
  figure(
    {
      title: 'Subscription, not billed',
      shows: listPrice,
      leftOut: `${unpriced} What is metered.`,
    },
    ask('/v1/usage', 'total', asked, (cell) => [
      cell.figure('Subscription', 'subscriptionNanoUsd', 'byBilling.subscription.unpricedRecords'),
    ]),
  ),
  figure(
    {
      title: 'Tokens',
      shows: 'All tokens sent and received in the days of the range, with the cache.',
      leftOut: 'Attempts that reported no usage.',
      unit: 'short',
    },
    ask('/v1/usage', 'total', asked, (cell) => [
      cell.sum('Tokens', 'inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens'),
    ]),
  ),
  figure(
    {
      title: 'In no sum',
      shows: 'Records without a price, attempts that reported no usage, unknown billing.',
      unit: 'short',
      decimals: 0,
    },
    ask('/v1/usage', 'total', asked, (cell) => [
      cell.count('Without a price', 'unpricedRecords'),
      cell.count('Unreported', 'unreportedRecords'),
      cell.figure('Unknown billing', 'unknownBillingNanoUsd', 'byBilling.unknown.unpricedRecords'),
    ]),
  ),
];

const kind = 'pi.spend.kind';
const model = 'gen_ai.request.model';

function spentOn(attribute: typeof kind | typeof model, billing: 'metered' | 'subscription') {
  return sumBy([attribute], inBars('cost', { 'pi.billing': billing }));
}

const spend = [
  bars(
    {
      title: 'Metered, by model',
      shows: 'What each model cost, billed by use.',
      leftOut: 'Subscriptions, unknown billing, records without a price.',
      unit: 'currencyUSD',
    },
    [{ expr: spentOn(model, 'metered'), legend: legend(model) }],
  ),
  bars(
    {
      title: 'Subscription at list price, by model',
      shows: listPrice,
      leftOut: 'Metered spend, unknown billing, records without a price.',
      unit: 'currencyUSD',
    },
    [{ expr: spentOn(model, 'subscription'), legend: legend(model) }],
  ),
  bars(
    {
      title: 'Metered, by kind',
      shows: 'What it was spent on: answers, summaries of compactions and branches, tools.',
      leftOut: 'Subscriptions, unknown billing, records without a price.',
      unit: 'currencyUSD',
    },
    [{ expr: spentOn(kind, 'metered'), legend: legend(kind) }],
    8,
  ),
  bars(
    {
      title: 'Tokens by kind',
      shows: 'Input read from the cache or written to it, and output.',
      leftOut: 'New input, and attempts that reported no usage.',
      unit: 'short',
    },
    [...cached, output],
    8,
  ),
  lines(
    {
      title: 'Input from the cache',
      shows: 'The part of the input tokens that was read from the cache.',
      leftOut: 'Attempts that reported no usage.',
      unit: 'percentunit',
    },
    [
      {
        expr: share(
          sum(grown('cacheReadTokens', '$interval')),
          sum(grown('inputTokens', '$interval')),
        ),
        legend: 'from the cache',
        color: solid,
      },
    ],
    8,
  ),
];

function exact(title: string, by: 'branch' | 'user' | 'model' | 'kind' | 'day', head: string) {
  return table(
    {
      title,
      shows: `What was spent by each ${head.toLowerCase()} in the days of the range.`,
      leftOut: unpriced,
    },
    ask('/v1/usage', 'rows', { ...asked, by, limit: 1000 }, (cell) => [
      cell.text(head, by),
      ...spendCells,
    ]),
    by === 'model' ? { sortedBy: 'Metered', links: { [head]: [toModels, toModel] } } : {},
  );
}

const tables = [
  exact('Branches', 'branch', 'Branch'),
  exact('People', 'user', 'Person'),
  exact('Models', 'model', 'Model'),
  exact('Kinds of spend', 'kind', 'Kind'),
  exact('Days', 'day', 'Day'),
  table(
    {
      title: 'Sessions',
      shows: 'The 1,000 newest sessions, each with all that it spent; the costliest first.',
      leftOut: unpriced,
    },
    ask('/v1/sessions', 'rows', { ...ofProject, ...inRange, limit: 1000 }, () =>
      columnCells(sessionTable, { session: { page: 'sessions' } }).filter(
        ({ name }) => name !== 'Project',
      ),
    ),
    { sortedBy: 'Metered' },
  ),
];

export const project: Page = {
  name: 'project',
  title: 'Project',
  description: 'What one project cost: by model, branch, person, day and session.',
  variables: ['oneProject', 'model', 'host', 'interval'],
  from: 'now-30d',
  page: '/projects',
  sections: [
    { title: 'What it costs', panels: figures },
    { title: 'Spend', panels: spend },
    { title: 'Exact, by whole days', panels: tables },
  ],
};
