import { expect, it } from 'vitest';
import { demoBudgets } from '../../../../collector/cli/demo/budgets.ts';
import { attributed, turn } from '../../projections/support/given.ts';
import { accept } from '../../roles/budgets/support.ts';
import { ledgerHomes } from '../../support/ledger.ts';

const homes = ledgerHomes();
const now = new Date('2026-11-22T12:00:00.000Z');
const at = '2026-11-20T10:00:00.000Z';

it('the demo has a budget near its limit, and others that are not', async () => {
  const ledger = await homes.open();
  const billing = { anthropic: 'subscription' as const };
  await accept(ledger, [
    attributed(at, { project: 'demo-shop' }),
    attributed(at, { project: 'demo-docs', billing }, 's2'),
    turn(at, { costNanoUsd: 83_200_000_000 }),
    turn(at, { costNanoUsd: 124_000_000_000 }, 's2'),
  ]);
  expect(await demoBudgets(ledger, now)).toMatchObject([
    { name: 'demo-all', per: 'month', limit: 160, in: 'metered dollars' },
    { name: 'demo-shop', project: 'demo-shop', limit: 91, in: 'metered dollars' },
    { name: 'demo-plan', limit: 210, in: 'list-price dollars' },
  ]);
});

it('the demo has budgets before it has spend', async () => {
  const budgets = await demoBudgets(await homes.open(), now);
  expect(budgets).toMatchObject([{ limit: 100 }, { limit: 100 }, { limit: 100 }]);
});
