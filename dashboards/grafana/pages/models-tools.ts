/** Tools and runs. */
import { toolTable } from '@pi-ledger/contract/columns/tools';
import { columnCells } from '../kit/answer-columns.ts';
import { bars, lines, rest } from '../kit/chart.ts';
import { ask, inRange } from '../kit/infinity.ts';
import { limits, second, solid } from '../kit/look.ts';
import { grown, inBars, leading, legend, quantile, share, sum, sumBy } from '../kit/promql.ts';
import { table } from '../kit/table.ts';

const tool = 'gen_ai.tool.name';
const agent = 'gen_ai.agent.name';
const untimed = 'What was imported, and what no host timed.';
const calls = leading('toolCalls', tool);
const failed = leading('toolCalls', tool, { 'pi.outcome': 'failed' });

export const tools = [
  table(
    {
      title: 'Each tool',
      shows: 'Calls, failures, durations and sizes of results in the days of the range.',
      leftOut: `Of durations: ${untimed} Sizes are estimated (~).`,
    },
    ask('/v1/tools', 'rows', { ...inRange, limit: 1000 }, () => columnCells(toolTable, {})),
  ),
  bars(
    {
      title: 'Tool calls',
      shows: 'The five tools that were called most in the range, and the others.',
      leftOut: 'Calls that the host blocked before they ran.',
      unit: 'short',
    },
    [{ expr: calls.five, legend: legend(tool) }, rest(calls.others)],
  ),
  bars(
    {
      title: 'Tool calls that failed',
      shows: 'The five tools that failed most often in the range, and the others.',
      leftOut: 'Calls that completed.',
      unit: 'short',
    },
    [{ expr: failed.five, legend: legend(tool) }, rest(failed.others)],
    8,
  ),
  lines(
    {
      title: 'Share of tool calls that failed',
      shows: 'Failed calls among all calls.',
      leftOut: 'Calls that have not ended.',
      unit: 'percentunit',
      thresholds: limits(0.25),
    },
    [
      {
        expr: share(
          sum(grown('toolCalls', '$interval', { 'pi.outcome': 'failed' })),
          sum(grown('toolCalls', '$interval')),
        ),
        legend: 'failed',
        color: solid,
      },
    ],
    8,
  ),
  lines(
    {
      title: '95 of 100 tool calls within, by tool',
      shows: 'The 95th percentile of how long each tool ran.',
      leftOut: untimed,
      unit: 's',
    },
    [
      {
        expr: quantile(0.95, 'toolDuration', '$__rate_interval', [tool]),
        legend: legend(tool),
      },
    ],
    8,
  ),
];

export const runs = [
  table(
    {
      title: 'Runs of each project',
      shows: 'From a prompt until the agent is idle, in the days of the range.',
      leftOut: 'Imported runs: only a running host tells of them.',
    },
    ask('/v1/runs', 'rows', { by: 'project', ...inRange, limit: 1000 }, (cell) => [
      cell.text('Project', 'project', { page: 'projects' }),
      cell.count('Runs', 'runs'),
      cell.count('Failed', 'failedRuns'),
      cell.count('Aborted', 'abortedRuns'),
      cell.count('Turns', 'turns'),
      cell.count('Tool calls', 'toolCalls'),
      cell.count('Files changed', 'filesModified'),
      cell.seconds('Half within', 'durationP50.ms'),
      cell.seconds('95 of 100 within', 'durationP95.ms'),
    ]),
  ),
  bars(
    {
      title: 'Runs, by how they ended',
      shows: 'Completed, failed, aborted, or cut off at the limit of output.',
      leftOut: 'Imported runs, and those that a killed host did not end.',
      unit: 'short',
    },
    [
      {
        expr: sumBy(['pi.outcome'], inBars('runDuration', {}, '_count')),
        legend: legend('pi.outcome'),
      },
    ],
    6,
  ),
  lines(
    {
      title: 'Duration of runs',
      shows: 'Half and 95 of 100 runs were at most this long.',
      leftOut: 'Imported runs.',
      unit: 's',
    },
    [
      { expr: quantile(0.5, 'runDuration', '$__rate_interval'), legend: 'half', color: solid },
      {
        expr: quantile(0.95, 'runDuration', '$__rate_interval'),
        legend: '95 of 100',
        color: second,
      },
    ],
    6,
  ),
  bars(
    {
      title: 'Runs, by agent',
      shows: 'Runs of the main agent and of agents with a name.',
      leftOut: 'Imported runs, and those that a killed host did not end.',
      unit: 'short',
    },
    [
      {
        expr: sumBy([agent], inBars('runDuration', {}, '_count'), 'main agent'),
        legend: legend(agent),
      },
    ],
    24,
  ),
];
