/** The cumulative rows of the projection `timings` as points, each metric when called for. Pure. */
import type { MetricPoint } from '@pi-ledger/contract/telemetry/counters';
import { metrics } from '@pi-ledger/contract/telemetry/metrics';
import {
  answerDurations,
  firstDurations,
  runDurations,
  toolDurations,
} from '../../projections/timings/buckets.ts';
import type { SumRow } from '../../views/views.ts';
import { durationsIn } from './histogram.ts';
import {
  type Counted,
  counterPoints,
  each,
  histogramPoints,
  isSome,
  modelOf,
  type Named,
  placeOf,
} from './points.ts';

export interface WorkRows {
  readonly answers: readonly SumRow[];
  readonly errors: readonly SumRow[];
  readonly tools: readonly SumRow[];
  readonly runs: readonly SumRow[];
}

export function workPoints({ answers, errors, tools, runs }: WorkRows) {
  return {
    ...answerPoints(answers),
    errors: () =>
      counterPoints(
        metrics.errors,
        each(errors, (row) => [errorsIn(row)]),
      ),
    ...toolPoints(tools),
    runDuration: () =>
      histogramPoints(
        metrics.runDuration,
        each(runs, (row) => [{ named: namedRun(row), histogram: durationsIn(row, runDurations) }]),
      ),
  } satisfies Record<string, () => Promise<readonly MetricPoint[]>>;
}

function answerPoints(rows: readonly SumRow[]) {
  const durations = (histogram: typeof answerDurations) =>
    each(rows, (row) => [{ named: namedAnswer(row), histogram: durationsIn(row, histogram) }]);
  const retries = () =>
    each(rows, (row) => [countIn(row, 'retries', namedAnswer(row))].filter(isSome));
  return {
    retries: () => counterPoints(metrics.retries, retries()),
    answerDuration: () => histogramPoints(metrics.answerDuration, durations(answerDurations)),
    firstChunk: () => histogramPoints(metrics.firstChunk, durations(firstDurations)),
  };
}

function errorsIn(row: SumRow): Counted {
  const { status = '' } = row.dimensions;
  const named = { ...namedAnswer(row), 'error.type': status === '' ? 'unknown' : status };
  return countIn(row, 'failedAnswers', named);
}

function toolPoints(rows: readonly SumRow[]) {
  const calls = () =>
    each(rows, (row) => {
      const named = namedTool(row);
      const all = countIn(row, 'calls', { ...named, 'pi.outcome': 'completed' });
      const failed = countIn(row, 'failures', { ...named, 'pi.outcome': 'failed' });
      return [{ ...all, amount: all.amount - failed.amount }, failed].filter(isSome);
    });
  const durations = () =>
    each(rows, (row) => [{ named: namedTool(row), histogram: durationsIn(row, toolDurations) }]);
  return {
    toolCalls: () => counterPoints(metrics.toolCalls, calls()),
    toolDuration: () => histogramPoints(metrics.toolDuration, durations()),
  };
}

function namedAnswer(row: SumRow): Named {
  return { ...modelOf(row), 'gen_ai.operation.name': 'chat' };
}

function namedTool(row: SumRow): Named {
  return { ...placeOf(row), 'gen_ai.tool.name': row.dimensions.tool ?? '' };
}

function namedRun(row: SumRow): Named {
  const { agent = '', outcome = '' } = row.dimensions;
  return { ...placeOf(row), 'gen_ai.agent.name': agent, 'pi.outcome': outcome };
}

function countIn({ measures }: SumRow, measure: string, named: Named): Counted {
  return { named, amount: measures[measure] ?? 0n };
}
