/** Runs, by one thing. */
import type { RunFigures, RunGrouping, RunRow } from '@pi-ledger/contract/answers';
import { runDurations } from '../../projections/timings/buckets.ts';
import { runs } from '../../projections/timings/rollups.ts';
import { timings } from '../../projections/timings.ts';
import { inTurns } from '../../timers/in-turns.ts';
import type { SumRow, ViewsReader } from '../../views/views.ts';
import { type TimingsQuestion, timingsConditions } from './conditions.ts';
import { groupedSums } from './grouped-sums.ts';
import { hiddenWords, shownWord } from './names.ts';
import { percentileOf } from './percentile.ts';
import { compareNames, countIn, nameOrNull, totalOf } from './rows.ts';

export interface RunReport {
  /** Sorted by runs, then by name; days by time. */
  readonly rows: readonly RunLine[];
  readonly total: RunFigures;
  /** Agents that `(other)` stands for. */
  readonly hidden: ReadonlySet<string>;
}

interface RunLine extends RunPosition {
  /** Made when it is asked for: an answer has a page of all rows. */
  row(): RunRow;
}

export interface RunPosition {
  readonly label: string;
  readonly runs: number;
}

/** `views`: as the caller may see them. Throws `bad_parameter`. */
export async function runReport(
  views: ViewsReader,
  by: RunGrouping,
  question: TimingsQuestion,
): Promise<RunReport> {
  const where = timingsConditions(question);
  const rows = await views.sum(timings, runs, { by: [...new Set([by, 'outcome'])], where });
  const listed = { views, where, rows };
  const hidden = by === 'agent' ? await hiddenWords(runs, by, 'runs', listed) : new Set<string>();
  const labelOf = (dimensions: SumRow['dimensions']) => shownWord(hidden, dimensions[by]);
  const groups = await groupedSums(rows, labelOf, within);
  const [total = []] = (await groupedSums(rows, () => '', within)).values();
  const lines: RunLine[] = [];
  await inTurns(groups, ([label, sums]) =>
    lines.push({
      label,
      runs: countIn(totalOf(sums), 'runs'),
      row: () => ({ [by]: nameOrNull(label), ...runFigures(sums) }),
    }),
  );
  return {
    rows: lines.toSorted((left, right) => compareRuns(by, left, right)),
    total: runFigures(total),
    hidden,
  };
}

/** What figures of runs need of their rows. */
const within = ['outcome'] as const;

export function compareRuns(by: RunGrouping, left: RunPosition, right: RunPosition): number {
  return (by === 'day' ? 0 : right.runs - left.runs) || compareNames(left.label, right.label);
}

/** `sums` are grouped by outcome. */
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
