/** Reports what was spent, by one or more groupings and any filters. */
import type { Grouping } from '@pi-ledger/contract/groupings';
import { usage } from '../projections/usage.ts';
import type { Condition, SumRow } from '../views/views.ts';
import { cacheDimensions } from './cache-figures.ts';
import { periodConditions } from './conditions.ts';
import { type Period, type UsageFilters, usageConditions } from './filters.ts';
import { dimensionsOf } from './grouping.ts';
import { underRoots } from './session-trees.ts';
import { expectTimeZone } from './time-zone.ts';
import { makeReport, type Report } from './usage-report.ts';
import type { VisibleViews } from './visible-views.ts';
import { sumInZone, type UsageViews } from './zoned-usage.ts';

export interface UsageQuestion extends UsageFilters, Period {
  /**
   * IANA name: counts everybody's days, weeks and months in this zone instead of each spender's
   * own.
   */
  readonly timezone?: string;
}

/**
 * Throws `bad_parameter` for an invalid period or zone, and when it would have to read too much.
 */
export async function usageReport(
  asked: UsageViews,
  visible: VisibleViews,
  by: readonly Grouping[],
  question: UsageQuestion,
): Promise<Report> {
  const sums = await sumUsage(asked, by, question, visible.where);
  return makeReport(by, by.includes('tree') ? await underRoots(visible.views, sums) : sums);
}

function sumUsage(
  asked: UsageViews,
  by: readonly Grouping[],
  question: UsageQuestion,
  limits: readonly Condition[],
): Promise<readonly SumRow[]> {
  const filters = [...usageConditions(question), ...limits];
  const dimensions = [
    ...new Set([...dimensionsOf(by), ...(by.includes('model') ? cacheDimensions : ['billing'])]),
  ];
  if (question.timezone !== undefined) {
    return sumInZone(asked, {
      dimensions,
      zone: expectTimeZone(question.timezone),
      filters,
      period: question,
    });
  }
  const where = [...filters, ...periodConditions(question, { day: 'day', hour: 'hour' })];
  return asked.views.sum(asked.sessions, usage, { by: dimensions, where });
}
