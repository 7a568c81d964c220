/** Totals of very many compactions: right, and others get the thread in between. */
import { expect, it } from 'vitest';
import { allTotalsOf } from '../../../../../collector/answers/compactions/audits/totals.ts';
import {
  type Compaction,
  CompactionList,
} from '../../../../../contract/answers/compactions/schema.ts';
import { turnsOfOthers } from '../../../support/turns.ts';

const { examples } = CompactionList as unknown as { readonly examples: readonly CompactionList[] };
const [example] = examples[0]?.rows ?? [];
const many = 6_000;

/** Each of a project of its own. */
function rows(): Compaction[] {
  if (example === undefined) throw new Error('No example.');
  return Array.from({ length: many }, (_, index) => ({
    ...example,
    ...{ id: String(index), project: `p-${index}`, model: 'opus' },
    ...{ kind: 'compaction' as const, billing: 'metered' as const, costNanoUsd: String(index) },
  }));
}

it('are those of all rows, by project and by model', async () => {
  const { total, byProject, byModel } = await allTotalsOf(rows());
  const cost = String((many * (many - 1)) / 2);
  expect(total.byBilling.metered).toMatchObject({ summaries: many, costNanoUsd: cost });
  expect(byModel).toEqual([{ model: 'opus', ...total }]);
  expect(byProject).toHaveLength(many);
  expect(byProject.find(({ project }) => project === 'p-17')).toMatchObject({
    compactions: 1,
    byBilling: { metered: { costNanoUsd: '17' } },
  });
});

it('of thousands of projects with one model leave the thread to others', async () => {
  expect(await turnsOfOthers(() => allTotalsOf(rows()))).toBeGreaterThan((3 * many) / 500);
});
