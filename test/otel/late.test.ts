/**
 * Why counters and the report may differ: counters never take anything back, the report does. What
 * is learned late moves spend in the report, and stays in a counter where it was counted first.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Chain, startChain } from './support/chain.ts';
import { answer, attribution, post } from './support/events.ts';
import { eventually } from './support/eventually.ts';
import { moneyIn, moneyOf, moneyReported, readTotals } from './support/totals.ts';

const agents = '{job="pi-ledger/agents"}';
let chain: Chain;

beforeAll(async () => {
  chain = await startChain();
  await chain.ledger.start();
});

afterAll(() => chain.close());

/** Both in one batch would be one fold, in this order all the same. */
test('spend told before whose it is moves in the report, and not in counters', async () => {
  const { ledger, prometheus } = chain;
  await post(ledger, attribution({ session: 'known', project: 'shop' }));
  await post(ledger, answer({ session: 'known', nanoUsd: 5_000_000_001 }));
  await post(ledger, answer({ session: 'late', nanoUsd: 7_000_000_002 }));
  const before = { metered: 5_000_000_001n, unknown: 7_000_000_002n };
  await eventually(async () => {
    expect(await moneyReported(ledger)).toEqual(before);
    expect(await moneyIn(prometheus, agents)).toEqual(before);
  });

  await post(ledger, attribution({ session: 'late', project: 'blog', billing: 'subscription' }));
  await post(ledger, answer({ session: 'late', nanoUsd: 11_000_000_003 }));

  const counted = {
    metered: 5_000_000_001n,
    unknown: 7_000_000_002n,
    subscription: 11_000_000_003n,
  };
  await eventually(async () => {
    expect(await moneyReported(ledger)).toEqual({
      metered: 5_000_000_001n,
      subscription: 18_000_000_005n,
    });
    expect(await moneyIn(prometheus, agents)).toEqual(counted);
  });
  expect(moneyOf(await readTotals(ledger))).toEqual(counted);
});
