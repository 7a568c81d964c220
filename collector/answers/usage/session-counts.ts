/** How many sessions have spend in each row of a report, and in all of them. */
import { type Grouping, isLabelGrouping } from '@pi-ledger/contract/groupings';
import { inTurns } from '../../timers/in-turns.ts';
import type { TallyRow } from '../../views/views.ts';
import { isComputed, withComputed } from '../spend/computed.ts';
import { dimensionsOf, labelled, labelsOf } from '../spend/grouping.ts';
import { type ReportViews, sumUsage, tallySessions, type UsageQuestion } from '../spend/sums.ts';
import type { VisibleViews } from '../views/visible-views.ts';
import type { ReportRow } from './report.ts';
import type { ShownLabels } from './shown-labels.ts';

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
  { labelsIn, hiddenCount }: ShownLabels,
): Promise<SessionCounts> {
  if (hiddenCount === 0 && by.every(isDimension)) {
    const [rows, all] = [
      await tallySessions(asked, by, question, visible.where),
      await tallySessions(asked, [], question, visible.where),
    ];
    if (rows !== null && all !== null) return countsIn(by, rows, all);
  }
  const sums = await sumUsage(asked, [...dimensionsOf(by), 'session'], question, visible.where);
  const all = new Set<string>();
  const rows = new Map<string, Set<string>>();
  await inTurns(await withComputed(asked, visible, by, sums), ({ dimensions }) => {
    const key = JSON.stringify(labelled(by, labelsIn(dimensions)));
    const { session = '' } = dimensions;
    all.add(session);
    rows.set(key, (rows.get(key) ?? new Set<string>()).add(session));
  });
  return { of: (labels) => rows.get(JSON.stringify(labels))?.size ?? 0, total: all.size };
}

/** Whether each of its labels is one word of a dimension. */
function isDimension(by: Grouping): boolean {
  return !isComputed(by) && !isLabelGrouping(by) && by !== 'week' && by !== 'month';
}

async function countsIn(
  by: readonly Grouping[],
  rows: readonly TallyRow[],
  [all]: readonly TallyRow[],
): Promise<SessionCounts> {
  const counts = new Map<string, number>();
  await inTurns(rows, ({ dimensions, count }) => {
    counts.set(JSON.stringify(labelled(by, labelsOf(by, dimensions))), count);
  });
  return { of: (labels) => counts.get(JSON.stringify(labels)) ?? 0, total: all?.count ?? 0 };
}
