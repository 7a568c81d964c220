/** The cumulative rows of the projection `timings` as points. Pure. */
import type { Point } from '@pi-ledger/contract/telemetry/counters';
import { metrics } from '@pi-ledger/contract/telemetry/metrics';
import { providerName } from '@pi-ledger/contract/telemetry/providers';
import {
  answerDurations,
  firstDurations,
  runDurations,
  toolDurations,
} from '../../projections/timings/buckets.ts';
import type { SumRow } from '../../views/views.ts';
import { durationsIn } from './histogram.ts';
import { type Counted, counterPoints, histogramPoints, type Named } from './points.ts';

export interface WorkRows {
  readonly answers: readonly SumRow[];
  readonly errors: readonly SumRow[];
  readonly tools: readonly SumRow[];
  readonly runs: readonly SumRow[];
}

export function workPoints({ answers, errors, tools, runs }: WorkRows) {
  return {
    ...answerPoints(answers),
    errors: counterPoints(metrics.errors, errors.map(errorsIn)),
    ...toolPoints(tools),
    runDuration: histogramPoints(
      metrics.runDuration,
      runs.map((row) => ({ named: namedRun(row), histogram: durationsIn(row, runDurations) })),
    ),
  } satisfies Record<string, readonly Point[]>;
}

function answerPoints(rows: readonly SumRow[]) {
  const durations = (histogram: typeof answerDurations) =>
    rows.map((row) => ({ named: namedAnswer(row), histogram: durationsIn(row, histogram) }));
  const retries = rows.map((row) => countIn(row, 'retries', namedAnswer(row)));
  return {
    retries: counterPoints(metrics.retries, retries.filter(isSome)),
    answerDuration: histogramPoints(metrics.answerDuration, durations(answerDurations)),
    firstChunk: histogramPoints(metrics.firstChunk, durations(firstDurations)),
  };
}

function errorsIn(row: SumRow): Counted {
  const { status = '' } = row.dimensions;
  const named = { ...namedAnswer(row), 'error.type': status === '' ? 'unknown' : status };
  return countIn(row, 'failedAnswers', named);
}

function toolPoints(rows: readonly SumRow[]) {
  const calls = rows.flatMap((row) => {
    const named = namedTool(row);
    const all = countIn(row, 'calls', { ...named, 'pi.outcome': 'completed' });
    const failed = countIn(row, 'failures', { ...named, 'pi.outcome': 'failed' });
    return [{ ...all, amount: all.amount - failed.amount }, failed];
  });
  const durations = rows.map((row) => ({
    named: namedTool(row),
    histogram: durationsIn(row, toolDurations),
  }));
  return {
    toolCalls: counterPoints(metrics.toolCalls, calls.filter(isSome)),
    toolDuration: histogramPoints(metrics.toolDuration, durations),
  };
}

function namedAnswer({ dimensions }: SumRow): Named {
  return {
    ...placeOf(dimensions),
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': providerName(dimensions.provider ?? ''),
    'gen_ai.request.model': dimensions.model ?? '',
  };
}

function namedTool({ dimensions }: SumRow): Named {
  return { ...placeOf(dimensions), 'gen_ai.tool.name': dimensions.tool ?? '' };
}

function namedRun({ dimensions }: SumRow): Named {
  return {
    ...placeOf(dimensions),
    'gen_ai.agent.name': dimensions.agent ?? '',
    'pi.outcome': dimensions.outcome ?? '',
  };
}

function placeOf({ project = '', host = '' }: SumRow['dimensions']): Named {
  return { 'pi.project': project, 'pi.host.name': host };
}

function countIn({ measures }: SumRow, measure: string, named: Named): Counted {
  return { named, amount: measures[measure] ?? 0n };
}

function isSome({ amount }: Counted): boolean {
  return amount > 0n;
}
