import { expect, it } from 'vitest';
import { tokenCostsTable } from '../../../../../collector/cli/output/answers/token-costs.ts';
import { sumFigures } from '../../../../../collector/cli/output/usage-sum.ts';

const nothing = sumFigures([]);
const { metered: none } = nothing.byBilling;
const style = { width: 80, colour: false };

it('shows the amounts of each kind of billing on a line of its own', () => {
  const { lines = [] } =
    tokenCostsTable({
      ...nothing,
      byBilling: {
        metered: { ...none, inputNanoUsd: '3000000000', outputNanoUsd: '50000000' },
        subscription: { ...none, cacheReadNanoUsd: '200000000', otherNanoUsd: '-10000000' },
        unknown: none,
      },
    })?.(style) ?? {};
  expect(lines).toEqual([
    'cost of tokens  input  output  cache read  cache write   other',
    'metered         $3.00   $0.05       $0.00        $0.00   $0.00',
    'subscription    $0.00   $0.00       $0.20        $0.00  -$0.01',
  ]);
});

it('has no column for a remainder that is nothing, and no table without a price', () => {
  const metered = { ...none, inputNanoUsd: '1000' };
  const priced = tokenCostsTable({ ...nothing, byBilling: { ...nothing.byBilling, metered } });
  expect(priced?.(style).lines[0]).toBe(
    'cost of tokens     input   output  cache read  cache write',
  );
  expect(tokenCostsTable(nothing)).toBeNull();
});
