/** Reports what was spent, by one grouping and any filters. */
import type { UsageFigures } from '@pi-ledger/contract/answers';
import type { Grouping } from '@pi-ledger/contract/groupings';
import { usage } from '../projections/usage.ts';
import type { Condition, SumRow } from '../views/views.ts';
import { periodConditions } from './conditions.ts';
import { type Period, type UsageFilters, usageConditions } from './filters.ts';
import { underRoots } from './session-trees.ts';
import { expectTimeZone } from './time-zone.ts';
import { dimensionOf, makeReport, type ReportRow } from './usage-report.ts';
import type { VisibleViews } from './visible-views.ts';
import { sumInZone, type UsageViews } from './zoned-usage.ts';

export interface UsageQuestion extends UsageFilters, Period {
  /**
   * IANA name: counts everybody's days, weeks and months in this zone instead of each spender's
   * own.
   */
  readonly timezone?: string;
}

export interface UsageReport {
  /** Sorted by time, or by cost, then tokens, then label. */
  readonly rows: readonly ReportRow[];
  readonly total: UsageFigures;
  /** For a report by tree: how many sessions each row stands for, by its label. */
  readonly treeSizes: ReadonlyMap<string, number> | null;
}

/**
 * Throws `bad_parameter` for an invalid period or zone, and when it would have to read too much.
 */
export async function usageReport(
  asked: UsageViews,
  visible: VisibleViews,
  by: Grouping,
  question: UsageQuestion,
): Promise<UsageReport> {
  const sums = await sumUsage(asked, by, question, visible.where);
  const trees = by === 'tree' ? await underRoots(visible.views, sums) : null;
  return { ...makeReport(by, trees?.sums ?? sums), treeSizes: trees?.sizes ?? null };
}

function sumUsage(
  asked: UsageViews,
  by: Grouping,
  question: UsageQuestion,
  limits: readonly Condition[],
): Promise<readonly SumRow[]> {
  const filters = [...usageConditions(question), ...limits];
  if (question.timezone !== undefined) {
    return sumInZone(asked, {
      by,
      zone: expectTimeZone(question.timezone),
      filters,
      period: question,
    });
  }
  const where = [...filters, ...periodConditions(question, { day: 'day', hour: 'hour' })];
  return asked.views.sum(asked.sessions, usage, { by: [dimensionOf(by), 'billing'], where });
}
