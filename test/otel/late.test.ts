/**
 * Why counters and the report may differ: counters never take anything back, the report does. What
 * is learned late moves spend in the report, and stays in a counter where it was counted first.
 */
import type { LedgerEvent } from '@pi-ledger/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { demoMonth } from '../../collector/cli/demo/month.ts';
import { eventually } from '../support/eventually.ts';
import { type Chain, startChain } from './support/chain.ts';
import { answer, attribution, post } from './support/events.ts';
import { send } from './support/live-work.ts';
import { type Money, moneyIn, moneyOf, moneyReported, readTotals } from './support/totals.ts';

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

test('what a parent claims before its subagents tell of it stays in counters', async () => {
  const { ledger, prometheus } = chain;
  const before = await readTotals(ledger);
  const reportedBefore = await moneyReported(ledger);
  const [early, told] = parentsFirst(demoMonth({ ...day, seed: 7 }));
  await send(ledger.url, early);
  const claimed = grown(moneyOf(before, isTool), moneyOf(await readTotals(ledger), isTool));
  expect(claimed.metered).toBeGreaterThan(0n);
  expect(grown(reportedBefore, await moneyReported(ledger))).toEqual(
    grown(moneyOf(before), moneyOf(await readTotals(ledger))),
  );

  await send(ledger.url, told);
  const after = await readTotals(ledger);
  expect(grown(moneyOf(before, isTool), moneyOf(after, isTool))).toEqual(claimed);
  const inReport = grown(reportedBefore, await moneyReported(ledger));
  expect(grown(inReport, grown(moneyOf(before), moneyOf(after)))).toEqual(claimed);
  await eventually(async () => expect(await moneyIn(prometheus, agents)).toEqual(moneyOf(after)));
});

const day = { until: new Date('2026-11-18T00:00:00Z'), days: 2, sessionsPerDay: 6 };

function isTool(kind: string): boolean {
  return kind === 'tool';
}

/** The events of subagents, and what they tell their parents, come second. */
function parentsFirst(month: Iterable<LedgerEvent>): readonly [LedgerEvent[], LedgerEvent[]] {
  const events = [...month];
  const subagents = new Set(
    events.flatMap((event) =>
      event.type === 'pi.session.attributed.v1' && event.data.agent.kind === 'subagent'
        ? [event.subject]
        : [],
    ),
  );
  const isTold = ({ type, subject }: LedgerEvent): boolean =>
    type === 'pi.subagent.accounted.v1' || subagents.has(subject);
  return [events.filter((event) => !isTold(event)), events.filter(isTold)];
}

/** What is zero is absent. */
function grown(before: Money, after: Money): Money {
  const each = Object.entries(after).map(
    ([billing, amount]) => [billing, amount - (before[billing] ?? 0n)] as const,
  );
  return Object.fromEntries(each.filter(([, amount]) => amount !== 0n));
}
