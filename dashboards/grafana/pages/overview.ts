/** What was spent, by whom, on what, and what needs attention. */
import { bars, rest } from '../kit/chart.ts';
import type { Page } from '../kit/dashboard.ts';
import { ask, inLastMonth, onLastDay, sinceFrom } from '../kit/infinity.ts';
import { solid } from '../kit/look.ts';
import { inBars, leading, legend, sum } from '../kit/promql.ts';
import { figure } from '../kit/stat.ts';
import { table } from '../kit/table.ts';
import { overviewTables } from './overview-tables.ts';
import { unpriced } from './spend-cells.ts';
import { cached, newInput, output } from './token-bars.ts';

const listPrice = 'List price of what a subscription covers: nobody bills it.';

const answers = [
  figure(
    {
      title: 'Metered today',
      shows: 'What the day in which the range ends cost so far, billed by use.',
      leftOut: `${unpriced} Subscriptions, and what is of unknown billing.`,
    },
    ask('/v1/usage', 'total', onLastDay, (cell) => [
      cell.figure('Metered', 'meteredNanoUsd', 'byBilling.metered.unpricedRecords'),
    ]),
  ),
  figure(
    {
      title: 'Metered this month',
      shows: 'What the month in which the range ends cost so far, billed by use.',
      leftOut: `${unpriced} Subscriptions, and what is of unknown billing.`,
    },
    ask('/v1/usage', 'total', inLastMonth, (cell) => [
      cell.figure('Metered', 'meteredNanoUsd', 'byBilling.metered.unpricedRecords'),
    ]),
  ),
  figure(
    {
      title: 'Subscriptions this month, not billed',
      shows: `${listPrice} Of the month in which the range ends.`,
      leftOut: `${unpriced} What is metered.`,
    },
    ask('/v1/usage', 'total', inLastMonth, (cell) => [
      cell.figure('Subscription', 'subscriptionNanoUsd', 'byBilling.subscription.unpricedRecords'),
    ]),
  ),
  figure(
    {
      title: 'In no sum, this month',
      shows:
        'Records without a price, attempts that reported no usage, and the amount of which nobody' +
        ' said whether it is billed by use.',
      unit: 'short',
      decimals: 0,
    },
    ask('/v1/usage', 'total', inLastMonth, (cell) => [
      cell.count('Without a price', 'unpricedRecords'),
      cell.count('Unreported', 'unreportedRecords'),
      cell.figure('Unknown billing', 'unknownBillingNanoUsd', 'byBilling.unknown.unpricedRecords'),
    ]),
  ),
];

const spend = [
  bars(
    {
      title: 'Spend: metered above the line, subscription below it',
      shows: 'Each bar is what came from its time on. Pale: list price, which nobody bills.',
      leftOut: 'What is of unknown billing, and records without a price.',
      unit: 'currencyUSD',
    },
    [
      {
        expr: sum(inBars('cost', { 'pi.billing': 'metered' })),
        legend: 'metered',
        color: solid,
      },
      {
        expr: sum(inBars('cost', { 'pi.billing': 'subscription' })),
        legend: 'subscription, list price',
        color: solid,
        isListPrice: true,
      },
    ],
    16,
  ),
  table(
    {
      title: 'Needs attention',
      shows: 'What changed or could cost less, the largest amount first; n/a: not known.',
      leftOut: 'What you have hidden. Amounts overlap: they are not added up.',
    },
    ask('/v1/insights', 'rows', { ...sinceFrom, limit: 20 }, (cell) => [
      cell.usd('Amount', 'nanoUsd'),
      cell.text('Bound', 'bound', { width: 90 }),
      cell.text('Billing', 'billing', { width: 100 }),
      cell.text('What', 'title'),
      cell.text('Why', 'reason'),
      cell.text('Command', 'command'),
    ]),
    { width: 8 },
  ),
];

const metered = leading('cost', 'pi.project', { 'pi.billing': 'metered' });
const covered = leading('cost', 'pi.project', { 'pi.billing': 'subscription' });

const split = [
  bars(
    {
      title: 'Metered, by project',
      shows: 'The five projects that cost most in the range, and the others.',
      leftOut: 'Subscriptions, unknown billing, records without a price.',
      unit: 'currencyUSD',
    },
    [{ expr: metered.five, legend: legend('pi.project') }, rest(metered.others)],
    8,
  ),
  bars(
    {
      title: 'Subscription at list price, by project',
      shows: `${listPrice} The five largest projects of the range, and the others.`,
      leftOut: 'Metered spend, unknown billing, records without a price.',
      unit: 'currencyUSD',
    },
    [{ expr: covered.five, legend: legend('pi.project') }, rest(covered.others)],
    8,
  ),
  bars(
    {
      title: 'Tokens',
      shows: 'Tokens sent and received. Input is new, read from the cache, or written to it.',
      leftOut: 'Attempts that reported no usage.',
      unit: 'short',
    },
    [newInput, ...cached, output],
    8,
  ),
];

export const overview: Page = {
  name: 'overview',
  title: 'Overview',
  description: 'What agents cost, who and what caused it, and what needs attention.',
  variables: ['project', 'model', 'host', 'interval'],
  from: 'now-30d',
  page: '/',
  sections: [
    { title: 'What it costs', panels: answers },
    { title: 'Spend', panels: [...spend, ...split] },
    { title: 'Projects, sessions, models, people', panels: overviewTables },
  ],
};
