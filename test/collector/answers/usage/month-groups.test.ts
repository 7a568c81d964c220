/** A month of very many groups is divided in turns with others. */
import { expect, it } from 'vitest';
import { monthGroups } from '../../../../collector/answers/usage/month-groups.ts';
import type { SumRow } from '../../../../collector/views/views.ts';
import { turnsOfOthers } from '../../support/turns.ts';

const users = ['ada', 'bob', 'cy'];
const models = 4_000;

const portions: readonly SumRow[] = users.flatMap((user) =>
  Array.from({ length: models }, (_, index) => ({
    dimensions: { project: 'shop', provider: 'anthropic', model: `model-${index}`, user },
    measures: { nanoUsd: BigInt(index + 1), records: 1n },
  })),
);

it('is', async () => {
  let groups: readonly SumRow[] | null = null;
  const turns = await turnsOfOthers(async () => {
    groups = await monthGroups(portions, users.length);
  });
  expect(groups).toHaveLength(models);
  // Each portion is looked at for each of three levels.
  expect(turns).toBeGreaterThan((3 * portions.length) / 300);
});
