/**
 * The counters of the projection `timings`: cumulative siblings of its rollups, for exporters. What
 * is measured counts under the attribution known when it is folded and stays there, so that no row
 * ever falls. The log's order decides, so a rebuild gives the same rows.
 *
 * They may differ from the corrected rollups:
 * - An attribution that comes late moves nothing.
 * - An entry that moves to another session is neither taken back nor counted again.
 * - Of each tool in a session count as many durations as running hosts saw or as entries hold,
 *   whichever are more. The corrected rollup takes those in entries, if there are any.
 * - A tool or model beyond the limit of a session counts as `(other)` only from then on.
 */
import type { Amount } from '../amount.ts';
import { type Emit, type Rollup, type RowKey, rowKey } from '../projection.ts';
import { answerDurations, firstDurations, runDurations, toolDurations } from './buckets.ts';
import { keyOf, type Row, type TableName, type TimingCells, type TimingLine } from './cells.ts';
import { answers, runs, statuses, tools } from './rollups.ts';

const common = ['project', 'user', 'host'] as const;

export const totalAnswers: Rollup = {
  name: 'total_answers',
  dimensions: [...common, 'provider', 'model'],
  measures: ['retries', ...answerDurations.measures, ...firstDurations.measures],
  indexes: [],
};

export const totalErrors: Rollup = {
  name: 'total_errors',
  /** `status`: empty when the host did not say. */
  dimensions: [...common, 'provider', 'model', 'status'],
  measures: ['failedAnswers'],
  indexes: [],
};

export const totalTools: Rollup = {
  name: 'total_tools',
  dimensions: [...common, 'tool'],
  measures: ['calls', 'failures', ...toolDurations.measures],
  indexes: [],
};

export const totalRuns: Rollup = {
  name: 'total_runs',
  dimensions: [...common, 'agent', 'outcome'],
  measures: [...runDurations.measures],
  indexes: [],
};

export const cumulative: readonly Rollup[] = [totalAnswers, totalErrors, totalTools, totalRuns];

interface Sibling {
  readonly rollup: Rollup;
  readonly corrected: Rollup;
  /** Its measures in the corrected rollup; ascending. */
  readonly from: readonly number[];
}

/** What models asked of tools has none: no exporter counts it. */
const siblings: Readonly<Partial<Record<TableName, Sibling>>> = {
  answers: pairRollup(totalAnswers, answers),
  statuses: pairRollup(totalErrors, statuses),
  tools: pairRollup(totalTools, tools),
  liveTools: pairRollup(totalTools, tools),
  runs: pairRollup(totalRuns, runs),
};
/** `calls`, `failures`. */
const toolCounts = 2;

function pairRollup(rollup: Rollup, corrected: Rollup): Sibling {
  const from = rollup.measures.map((name) => corrected.measures.indexOf(name));
  return { rollup, corrected, from };
}

export interface Added {
  readonly table: TableName;
  readonly line: TimingLine;
  readonly row: Row;
  readonly amounts: readonly Amount[];
}

/** Counts what was just added to the cells. */
export function countInTotals(
  cells: TimingCells,
  { table, line, row, amounts }: Added,
  emit: Emit,
): void {
  const sibling = siblings[table];
  if (sibling === undefined || row.totals === null || row.labels.isIgnored) return;
  const { rollup, from } = sibling;
  const picked = pickedFrom(
    amounts,
    isNewDuration(cells, table, line) ? from : from.slice(0, toolCounts),
  );
  if (picked.some((amount) => amount !== 0)) emit(rollup, row.totals, picked);
}

/** Where a row counts in the sibling of its rollup; null where there is none. */
export function totalsKey(
  corrected: Rollup,
  named: Readonly<Record<string, string>>,
): RowKey | null {
  const sibling = Object.values(siblings).find((each) => each.corrected === corrected);
  return sibling === undefined ? null : rowKey(sibling.rollup, named);
}

function pickedFrom(amounts: readonly Amount[], indexes: readonly number[]): Amount[] {
  const picked: Amount[] = [];
  for (const index of indexes) {
    if (index >= amounts.length) break;
    picked.push(amounts[index] ?? 0);
  }
  return picked;
}

/**
 * A tool's duration may come twice, from the running host and with the entry, in any order: the
 * second one is no new one. How many there are is compared, not which.
 */
function isNewDuration({ tables }: TimingCells, table: TableName, line: TimingLine): boolean {
  if (table !== 'tools' && table !== 'liveTools') return true;
  const other = tables[table === 'tools' ? 'liveTools' : 'tools'].lines.get(keyOf(line.name));
  return other === undefined || timedIn(line) > timedIn(other);
}

const bucketsStart = tools.measures.indexOf(toolDurations.measures[0]) + 1;

function timedIn(line: TimingLine): number {
  line.timed ??= [...line.cells.values()].reduce((sum, { amounts }) => sum + timedBy(amounts), 0);
  return line.timed;
}

/** How many durations of tools these amounts hold. */
export function timedBy(amounts: readonly Amount[]): number {
  let timed = 0;
  for (let index = bucketsStart; index < amounts.length; index++) timed += Number(amounts[index]);
  return timed;
}
