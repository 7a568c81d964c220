/** Tools: calls, failures, durations and the size of their results. */
import type { ToolFigures, ToolRow } from '@pi-ledger/contract/answers';
import { toolDurations } from '../../projections/timings/buckets.ts';
import { tools } from '../../projections/timings/rollups.ts';
import { timings } from '../../projections/timings.ts';
import type { ViewsReader } from '../../views/views.ts';
import { imageChars, tokensOfChars } from '../context/estimate.ts';
import { type TimingsQuestion, timingsConditions } from '../timings/conditions.ts';
import { groupedSums } from '../timings/grouped-sums.ts';
import { hiddenWords, shownWord } from '../timings/names.ts';
import { durationsIn, percentileOf } from '../timings/percentile.ts';
import { compareNames, countIn, type Sums, totalOf } from '../timings/rows.ts';

export interface ToolReport {
  /** Sorted by calls, then by name. */
  readonly rows: readonly ToolLine[];
  readonly total: ToolFigures;
  /** Those that `(other)` stands for. */
  readonly hidden: ReadonlySet<string>;
}

export interface ToolLine extends Pick<ToolRow, 'tool' | 'calls'> {
  /** Made when it is asked for: an answer has a page of all rows. */
  row(): ToolRow;
}

/** `views`: as the caller may see them. Throws `bad_parameter`. */
export async function toolReport(
  views: ViewsReader,
  question: TimingsQuestion,
): Promise<ToolReport> {
  const where = timingsConditions(question);
  const rows = await views.sum(timings, tools, { by: ['tool'], where });
  const hidden = await hiddenWords(tools, 'tool', 'calls', { views, where, rows });
  const groups = await groupedSums(rows, ({ tool }) => shownWord(hidden, tool));
  const [total = []] = (await groupedSums(rows, () => '')).values();
  const lines = [...groups].map(([tool, [row]]) => lineOf(tool, row?.measures ?? {}));
  return { rows: lines.toSorted(compareTools), total: toolFigures(totalOf(total)), hidden };
}

function lineOf(tool: string, sums: Sums): ToolLine {
  return {
    tool,
    calls: countIn(sums, 'calls'),
    row: () => ({ tool, ...toolFigures(sums) }),
  };
}

export function compareTools(
  left: Pick<ToolRow, 'tool' | 'calls'>,
  right: Pick<ToolRow, 'tool' | 'calls'>,
): number {
  return right.calls - left.calls || compareNames(left.tool, right.tool);
}

/** `sums` hold measures of the rollup `tools`. */
export function toolFigures(sums: Sums): ToolFigures {
  const chars = countIn(sums, 'resultChars') + imageChars(countIn(sums, 'resultImages'));
  return {
    calls: countIn(sums, 'calls'),
    failures: countIn(sums, 'failures'),
    timedCalls: Number(durationsIn(toolDurations, sums)),
    durationP50: percentileOf(toolDurations, sums, 0.5),
    durationP95: percentileOf(toolDurations, sums, 0.95),
    resultTokensEstimated: tokensOfChars(chars),
    namedFiles: countIn(sums, 'namedFiles'),
  };
}
