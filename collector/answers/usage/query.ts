/** Reports what was spent, by one or more groupings and any filters. */
import type { Grouping } from '@pi-ledger/contract/groupings';
import { cacheDimensions } from '../spend/cache-figures.ts';
import { withComputed } from '../spend/computed.ts';
import { dimensionsOf } from '../spend/grouping.ts';
import { type ReportViews, sumUsage, type UsageQuestion } from '../spend/sums.ts';
import type { VisibleViews } from '../views/visible-views.ts';
import { makeReport, type Report } from './report.ts';
import { type ShownLabels, shownLabels } from './shown-labels.ts';

/**
 * Throws `bad_parameter` for an invalid period or zone, and when it would have to read too much.
 */
export async function usageReport(
  asked: ReportViews,
  visible: VisibleViews,
  by: readonly Grouping[],
  question: UsageQuestion,
): Promise<Report & { readonly names: ShownLabels }> {
  const dimensions = [...dimensionsOf(by), ...(by.includes('model') ? cacheDimensions : billing)];
  const found = await sumUsage(asked, dimensions, question, visible.where);
  const sums = await withComputed(asked, visible, by, found);
  const names = await shownLabels(asked, visible, by, question, sums);
  return { ...(await makeReport(by, sums, names.labelsIn)), names };
}

const billing = ['billing'];
