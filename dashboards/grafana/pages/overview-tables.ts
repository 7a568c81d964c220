/** The tables of the overview: exact, whole days. */
import { sessionTable } from '@pi-ledger/contract/columns/sessions';
import { columnCells } from '../kit/answer-columns.ts';
import { ask, inRange, whereProject } from '../kit/infinity.ts';
import { toModel, toModels, toProject } from '../kit/links.ts';
import { table } from '../kit/table.ts';
import { spendCells, unpriced } from './spend-cells.ts';

/** What they lead to on the built-in page. */
const sessionLooks = { session: { page: 'sessions' }, project: { page: 'projects' } } as const;

const widths = { half: 12, whole: 24 };

export const overviewTables = [
  table(
    {
      title: 'Projects',
      shows: 'What each project cost in the days of the range.',
      leftOut: `${unpriced} Ignored projects.`,
    },
    ask(
      '/v1/usage',
      'rows',
      { by: 'project', ...inRange, limit: 1000 },
      (cell) => [cell.text('Project', 'project', { page: 'projects' }), ...spendCells],
      whereProject,
    ),
    { width: widths.whole, sortedBy: 'Metered', links: { Project: [toProject] } },
  ),
  table(
    {
      title: 'Newest sessions',
      shows: 'The 100 newest sessions of the range, each with all that it spent.',
      leftOut: unpriced,
    },
    ask(
      '/v1/sessions',
      'rows',
      { ...inRange, limit: 100 },
      () => columnCells(sessionTable, sessionLooks),
      whereProject,
    ),
    { links: { Project: [toProject] }, height: 10 },
  ),
  table(
    {
      title: 'Models',
      shows: 'What was spent on each model in the days of the range.',
      leftOut: unpriced,
    },
    ask('/v1/usage', 'rows', { by: 'model', ...inRange, limit: 1000 }, (cell) => [
      cell.text('Model', 'model'),
      ...spendCells,
    ]),
    { sortedBy: 'Metered', links: { Model: [toModels, toModel] }, height: 10 },
  ),
  table(
    {
      title: 'People',
      shows: 'What was spent by each person in the days of the range.',
      leftOut: unpriced,
    },
    ask('/v1/usage', 'rows', { by: 'user', ...inRange, limit: 1000 }, (cell) => [
      cell.text('Person', 'user'),
      ...spendCells,
    ]),
    { sortedBy: 'Metered' },
  ),
  table(
    {
      title: 'Quota of subscriptions, now',
      shows: 'What is used of each window: as told by the provider, or by your own limit.',
      leftOut: 'Windows of which nobody told anything.',
      noData: 'No provider told of a window: set a limit in config.json, or use omp.',
      page: '/budgets',
    },
    ask('/v1/quota', 'rows', {}, (cell) => [
      cell.text('Person', 'user'),
      cell.text('Provider', 'provider'),
      cell.text('Window', 'name', { width: 80 }),
      cell.count('Used', 'usedShare', { unit: 'percentunit' }),
      cell.time('Ends', 'endsAt'),
      cell.time('Full', 'fullAt'),
      cell.text('Told by', 'source', { width: 80 }),
    ]),
  ),
  table(
    {
      title: 'Budgets, now',
      shows: 'What is used of each budget in its current period, exactly, in its own unit.',
      leftOut: 'Records without a known amount or billing: what is used is then at least this.',
      noData: 'No budget is set: `budgets` in config.json says what may be spent.',
      page: '/budgets',
    },
    ask('/v1/budgets', 'rows', {}, (cell) => [
      cell.text('Budget', 'name'),
      cell.text('State', 'state', { width: 80 }),
      cell.count('Part', 'usedShare', { unit: 'percentunit', width: 70 }),
      cell.text('Used', 'used'),
      cell.yesNo('Used is', 'isAtLeast', 'at least', 'all'),
      cell.text('Limit', 'limit'),
      cell.text('In', 'unit'),
      cell.text('Per', 'per', { width: 100 }),
      cell.time('Ends', 'period.end'),
    ]),
  ),
];
