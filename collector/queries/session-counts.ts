/** How many sessions have spend in each row of a report, and in all of them. */
import type { Grouping } from '@pi-ledger/contract/groupings';
import { withComputed } from './computed.ts';
import { dimensionsOf, labelled, labelsOf } from './grouping.ts';
import { type ReportViews, sumUsage, type UsageQuestion } from './usage.ts';
import type { ReportRow } from './usage-report.ts';
import type { VisibleViews } from './visible-views.ts';

export interface SessionCounts {
  /** By a row's labels. */
  of(labels: ReportRow['labels']): number;
  readonly total: number;
}

/** Throws as `usageReport` does. */
export async function sessionCounts(
  asked: ReportViews,
  visible: VisibleViews,
  by: readonly Grouping[],
  question: UsageQuestion,
): Promise<SessionCounts> {
  const sums = await sumUsage(asked, [...dimensionsOf(by), 'session'], question, visible.where);
  const all = new Set<string>();
  const rows = new Map<string, Set<string>>();
  for (const { dimensions } of await withComputed(asked, visible, by, sums)) {
    const key = JSON.stringify(labelled(by, labelsOf(by, dimensions)));
    const { session = '' } = dimensions;
    all.add(session);
    rows.set(key, (rows.get(key) ?? new Set<string>()).add(session));
  }
  return { of: (labels) => rows.get(JSON.stringify(labels))?.size ?? 0, total: all.size };
}
