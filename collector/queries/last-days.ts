/** The last day on which each row of a report has spend. */
import type { Grouping } from '@pi-ledger/contract/groupings';
import { withComputed } from './computed.ts';
import { dimensionsOf, isTime, labelled, labelsOf } from './grouping.ts';
import { type ReportViews, sumUsage, type UsageQuestion } from './usage.ts';
import type { ReportRow } from './usage-report.ts';
import type { VisibleViews } from './visible-views.ts';

/** By a row's labels; null for rows that are a time themselves. */
export type LastDayOf = (labels: ReportRow['labels']) => string | null;

/** Throws as `usageReport` does. */
export async function lastDays(
  asked: ReportViews,
  visible: VisibleViews,
  by: readonly Grouping[],
  question: UsageQuestion,
): Promise<LastDayOf> {
  if (by.some(isTime)) return () => null;
  const sums = await sumUsage(asked, [...dimensionsOf(by), 'day'], question, visible.where);
  const days = new Map<string, string>();
  for (const { dimensions } of await withComputed(asked, visible, by, sums)) {
    const key = JSON.stringify(labelled(by, labelsOf(by, dimensions)));
    const { day = '' } = dimensions;
    if (day > (days.get(key) ?? '')) days.set(key, day);
  }
  return (labels) => days.get(JSON.stringify(labels)) ?? null;
}
