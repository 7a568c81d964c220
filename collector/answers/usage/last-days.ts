/** The last day on which each row of a report has spend. */
import type { Grouping } from '@pi-ledger/contract/groupings';
import { inTurns } from '../../timers/in-turns.ts';
import { withComputed } from '../spend/computed.ts';
import { dimensionsOf, isTime, labelled } from '../spend/grouping.ts';
import { type ReportViews, sumUsage, type UsageQuestion } from '../spend/sums.ts';
import type { VisibleViews } from '../views/visible-views.ts';
import type { ReportRow } from './report.ts';
import type { ShownLabels } from './shown-labels.ts';

/** By a row's labels; null for rows that are a time themselves. */
export type LastDayOf = (labels: ReportRow['labels']) => string | null;

/** Throws as `usageReport` does. */
export async function lastDays(
  asked: ReportViews,
  visible: VisibleViews,
  by: readonly Grouping[],
  question: UsageQuestion,
  { labelsIn }: ShownLabels,
): Promise<LastDayOf> {
  if (by.some(isTime)) return () => null;
  const sums = await sumUsage(asked, [...dimensionsOf(by), 'day'], question, visible.where);
  const days = new Map<string, string>();
  await inTurns(await withComputed(asked, visible, by, sums), ({ dimensions }) => {
    const key = JSON.stringify(labelled(by, labelsIn(dimensions)));
    const { day = '' } = dimensions;
    if (day > (days.get(key) ?? '')) days.set(key, day);
  });
  return (labels) => days.get(JSON.stringify(labels)) ?? null;
}
