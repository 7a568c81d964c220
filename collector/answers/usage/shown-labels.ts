/** The names that a report shows in each of its groupings, as `shown-names.ts` chooses them. */
import { type Grouping, isLabelGrouping } from '@pi-ledger/contract/groupings';
import { inTurns } from '../../timers/in-turns.ts';
import type { SumRow } from '../../views/views.ts';
import { withComputed } from '../spend/computed.ts';
import { dimensionsOf, labelsOf } from '../spend/grouping.ts';
import { hiddenNames, otherNames } from '../spend/shown-names.ts';
import { type ReportViews, sumUsage, type UsageQuestion } from '../spend/sums.ts';
import type { VisibleViews } from '../views/visible-views.ts';
import type { LabelsIn } from './report.ts';

export interface ShownLabels {
  readonly labelsIn: LabelsIn;
  /** In all groupings. */
  readonly hiddenCount: number;
}

/** `sums`: of the report, with what is computed. */
export async function shownLabels(
  asked: ReportViews,
  visible: VisibleViews,
  by: readonly Grouping[],
  question: UsageQuestion,
  sums: readonly SumRow[],
): Promise<ShownLabels> {
  const named = by.map((each) => (isNamed(each) ? new Set<string>() : null));
  if (named.some((names) => names !== null))
    await inTurns(sums, ({ dimensions }) => {
      for (const [at, label] of labelsOf(by, dimensions).entries())
        if (label !== '') named[at]?.add(label);
    });
  const hidden: ReadonlySet<string>[] = [];
  for (const [at, each] of by.entries()) {
    const nameOf = (dimensions: SumRow['dimensions']) => labelsOf([each], dimensions)[0] ?? '';
    const byUser = async () => {
      const dimensions = [...dimensionsOf([each]), 'user'];
      const all = { ...asked, views: visible.views };
      const found = await sumUsage(all, dimensions, question, visible.where);
      return withComputed(asked, visible, [each], found);
    };
    hidden.push(await hiddenNames(named[at] ?? new Set(), { nameOf, byUser, largest }));
  }
  const hiddenCount = hidden.reduce((count, names) => count + names.size, 0);
  const all: LabelsIn = (dimensions) => labelsOf(by, dimensions);
  const shown: LabelsIn = (dimensions) =>
    all(dimensions).map((label, at) => (hidden[at]?.has(label) ? otherNames : label));
  return { labelsIn: hiddenCount === 0 ? all : shown, hiddenCount };
}

const largest = ['nanoUsd', 'outputTokens', 'inputTokens', 'records'];

/** Whether its values are whatever senders call things. */
function isNamed(by: Grouping): boolean {
  return isLabelGrouping(by) || ['model', 'agent', 'branch', 'pr'].includes(by);
}
