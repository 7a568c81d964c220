/** Rows are counted a part at a time, and others get the thread in between. */
import { expect, it } from 'vitest';
import { spendPoints } from '../../../../collector/answers/metrics/spend.ts';
import { workPoints } from '../../../../collector/answers/metrics/work.ts';
import type { SumRow } from '../../../../collector/views/views.ts';
import { mostInATurn } from '../../support/turns.ts';

const many = 3_000;
let looks = 0;
const rows = Array.from({ length: many }, (_, index): SumRow => {
  const measures = { records: 1n, nanoUsd: 1n, inputTokens: 1n, calls: 1n, retries: 1n };
  return {
    dimensions: { model: `model-${index}`, tool: `tool-${index}` },
    get measures() {
      looks += 1;
      return measures;
    },
  };
});
const work = workPoints({ answers: rows, errors: rows, tools: rows, runs: rows });

it.each(Object.entries({ ...spendPoints(rows, false), ...work }))('%s', async (_, points) => {
  const before = looks;
  const most = await mostInATurn(points, () => looks);
  const all = looks - before;
  expect(all).toBeGreaterThanOrEqual(many);
  expect(most).toBeLessThanOrEqual(all / 8);
});
