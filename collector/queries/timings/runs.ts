/** Runs, by one thing. */
import type { RunFigures, RunGrouping, RunRow } from '@pi-ledger/contract/answers';
import { runDurations } from '../../projections/timings/buckets.ts';
import { runs } from '../../projections/timings/rollups.ts';
import { timings } from '../../projections/timings.ts';
import type { SumRow, ViewsReader } from '../../views/views.ts';
import { type TimingsQuestion, timingsConditions } from './conditions.ts';
import { percentileOf } from './percentile.ts';
import { compareNames, countIn, nameOrNull, totalOf } from './rows.ts';

export interface RunReport {
  /** Sorted by runs, then by name; days by time. */
  readonly rows: readonly RunLine[];
  readonly total: RunFigures;
}

interface RunLine {
  readonly label: string;
  readonly row: RunRow;
}

/** `views`: as the caller may see them. Throws `bad_parameter`. */
export async function runReport(
  views: ViewsReader,
  by: RunGrouping,
  question: TimingsQuestion,
): Promise<RunReport> {
  const where = timingsConditions(question);
  const sums = await views.sum(timings, runs, { by: [...new Set([by, 'outcome'])], where });
  const lines = [...Map.groupBy(sums, ({ dimensions }) => dimensions[by] ?? '')].map(
    ([label, each]) => ({ label, row: { [by]: nameOrNull(label), ...runFigures(each) } }),
  );
  return {
    rows: lines.toSorted((left, right) => compareRuns(by, left, right)),
    total: runFigures(sums),
  };
}

export function compareRuns(
  by: RunGrouping,
  left: { readonly label: string; readonly row: Pick<RunRow, 'runs'> },
  right: { readonly label: string; readonly row: Pick<RunRow, 'runs'> },
): number {
  return (
    (by === 'day' ? 0 : right.row.runs - left.row.runs) || compareNames(left.label, right.label)
  );
}

/** Of sums by outcome. */
function runFigures(sums: readonly SumRow[]): RunFigures {
  const total = totalOf(sums);
  const ended = (outcome: string): number =>
    countIn(totalOf(sums.filter(({ dimensions }) => dimensions.outcome === outcome)), 'runs');
  return {
    runs: countIn(total, 'runs'),
    completedRuns: ended('completed'),
    failedRuns: ended('failed'),
    abortedRuns: ended('aborted'),
    cutOffRuns: ended('length'),
    turns: countIn(total, 'turns'),
    attempts: countIn(total, 'attempts'),
    toolCalls: countIn(total, 'toolCalls'),
    errors: countIn(total, 'errors'),
    filesModified: countIn(total, 'filesModified'),
    durationP50: percentileOf(runDurations, total, 0.5),
    durationP95: percentileOf(runDurations, total, 0.95),
  };
}
