/** Compactions as the ledger has them. */
import type { CompactionTotals } from '@pi-ledger/contract/answers';
import type { Cell, Cells } from '../kit/cells.ts';
import { ask, inRange, whereProject } from '../kit/infinity.ts';
import { toCompaction, toProject } from '../kit/links.ts';
import type { Said, Sized } from '../kit/panel.ts';
import { figure } from '../kit/stat.ts';
import { table } from '../kit/table.ts';

const all = 'All projects and models, in the days of the range.';

function total(
  said: Said,
  columns: (cell: Cells<CompactionTotals>) => readonly Cell[],
  width = 4,
): Sized {
  return figure(said, ask('/v1/compactions', 'total', { ...inRange, limit: 1 }, columns), width);
}

export const compactionFigures = [
  total(
    {
      title: 'Compactions',
      shows: `Completed ones, and how many failed. ${all}`,
      leftOut: 'Summaries of branches.',
      unit: 'short',
      decimals: 0,
    },
    (cell) => [cell.count('Completed', 'compactions'), cell.count('Failed', 'failures')],
  ),
  total(
    {
      title: 'Summaries, metered',
      shows: `What the calls for summaries cost, billed by use. ${all}`,
      leftOut: 'Calls whose cost was not reported: the sum is then marked ≥.',
    },
    (cell) => [
      cell.figure('Metered', 'byBilling.metered.costNanoUsd', 'byBilling.metered.unreportedCosts'),
    ],
  ),
  total(
    {
      title: 'Summaries, subscription',
      shows: `List price, not billed. ${all}`,
      leftOut: 'Calls whose cost was not reported: the sum is then marked ≥.',
    },
    (cell) => [
      cell.figure(
        'Subscription',
        'byBilling.subscription.costNanoUsd',
        'byBilling.subscription.unreportedCosts',
      ),
    ],
  ),
  total(
    {
      title: 'Cache written anew, metered',
      shows: `What the first answers after compactions could not read from the cache. ${all}`,
      leftOut: 'Compactions without an answer after them, or without a price.',
    },
    (cell) => [
      cell.figure('Metered', 'byBilling.metered.cacheMissNanoUsd', 'byBilling.metered.unknownNets'),
    ],
  ),
  total(
    {
      title: 'Tokens saved, at once',
      shows: `Tokens before less tokens after, as measured. ${all}`,
      leftOut: 'Compactions whose tokens after were not measured.',
      unit: 'short',
    },
    (cell) => [cell.count('Saved', 'savedTokens', { unit: 'short' })],
  ),
  total(
    {
      title: 'Read again',
      shows: `Files that were read again within 10 turns after a compaction. ${all}`,
      leftOut: 'Files that were read by a shell.',
      unit: 'short',
      decimals: 0,
    },
    (cell) => [cell.count('Files', 'regretReads')],
  ),
];

function totals(cell: Cells<CompactionTotals>): readonly Cell[] {
  return [
    cell.count('Compactions', 'compactions'),
    cell.count('Failed', 'failures'),
    cell.count('Tokens saved', 'savedTokens', { unit: 'short' }),
    cell.count('Read again', 'regretReads'),
    cell.atLeast('Cost at least', 'byBilling.metered.unreportedCosts'),
    cell.usdSum(
      'Metered cost',
      'byBilling.metered.costNanoUsd',
      'byBilling.metered.unreportedCosts',
    ),
    cell.usdSum(
      'Subscription cost',
      'byBilling.subscription.costNanoUsd',
      'byBilling.subscription.unreportedCosts',
    ),
    cell.count('Net of', 'byBilling.metered.nets'),
    cell.sumAtMost('Net at most', 'byBilling.metered.upperBoundNets'),
    cell.usdSum('Metered net', 'byBilling.metered.netNanoUsd', 'byBilling.metered.unknownNets'),
  ];
}

export const compactionTables = [
  table(
    {
      title: 'Each compaction',
      shows: 'The 1,000 newest of the range. ≤: a cost in the net was not reported.',
      leftOut: 'Costs that were not reported are n/a, and never $0.00.',
    },
    ask(
      '/v1/compactions',
      'rows',
      { ...inRange, limit: 1000 },
      (cell) => [
        cell.time('When', 'time'),
        cell.text('Compaction', 'id', { width: 110 }),
        cell.text('Session', 'session', { width: 110, page: 'sessions' }),
        cell.text('Project', 'project', { page: 'projects' }),
        cell.text('Model', 'model'),
        cell.text('Trigger', 'trigger', { width: 100 }),
        cell.count('Before', 'tokensBefore'),
        cell.count('After', 'tokensAfterMeasured'),
        cell.text('Billing', 'billing', { width: 100 }),
        cell.usd('Summary cost', 'costNanoUsd'),
        cell.count('Turns after', 'turnsAfter'),
        cell.count('Read again', 'regretReads'),
        cell.atMost('Net at most', 'netIsUpperBound'),
        cell.usd('Net', 'netNanoUsd'),
      ],
      whereProject,
    ),
    {
      width: 24,
      height: 12,
      links: { Compaction: [toCompaction], Project: [toProject] },
    },
  ),
  table(
    {
      title: 'Compactions of each project',
      shows: 'Totals in the days of the range.',
      leftOut: 'Nets that are not known; those at most this are marked ≤.',
    },
    ask(
      '/v1/compactions',
      'byProject',
      { ...inRange, limit: 1 },
      (cell) => [cell.text('Project', 'project', { page: 'projects' }), ...totals(cell)],
      whereProject,
    ),
    { links: { Project: [toProject] } },
  ),
  table(
    {
      title: 'Compactions of each model',
      shows: 'Totals in the days of the range, by the model that made the summary.',
      leftOut: 'Nets that are not known; those at most this are marked ≤.',
    },
    ask('/v1/compactions', 'byModel', { ...inRange, limit: 1 }, (cell) => [
      cell.text('Model', 'model'),
      ...totals(cell),
    ]),
  ),
];
