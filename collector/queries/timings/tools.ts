/** Tools: calls, failures, durations and the size of their results. */
import type { ToolFigures, ToolRow } from '@pi-ledger/contract/answers';
import { toolDurations } from '../../projections/timings/buckets.ts';
import { tools } from '../../projections/timings/rollups.ts';
import { timings } from '../../projections/timings.ts';
import type { ViewsReader } from '../../views/views.ts';
import { imageChars, tokensOfChars } from '../context/estimate.ts';
import { type TimingsQuestion, timingsConditions } from './conditions.ts';
import { durationsIn, percentileOf } from './percentile.ts';
import { compareNames, countIn, groupSums, type Sums, totalOf } from './rows.ts';

export interface ToolReport {
  /** Sorted by calls, then by name. */
  readonly rows: readonly ToolRow[];
  readonly total: ToolFigures;
}

/** `views`: as the caller may see them. Throws `bad_parameter`. */
export async function toolReport(
  views: ViewsReader,
  question: TimingsQuestion,
): Promise<ToolReport> {
  const where = timingsConditions(question);
  const sums = await views.sum(timings, tools, { by: ['tool'], where });
  const rows = [...groupSums(sums, ({ tool = '' }) => tool)].map(([tool, each]) => ({
    tool,
    ...toolFigures(each),
  }));
  return { rows: rows.toSorted(compareTools), total: toolFigures(totalOf(sums)) };
}

export function compareTools(
  left: Pick<ToolRow, 'tool' | 'calls'>,
  right: Pick<ToolRow, 'tool' | 'calls'>,
): number {
  return right.calls - left.calls || compareNames(left.tool, right.tool);
}

/** Of the measures of the rollup `tools`. */
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
