/** Views that have folded what is withdrawn later. */
import { expect, it } from 'vitest';
import { totals } from '../../../collector/projections/totals.ts';
import { usage } from '../../../collector/projections/usage.ts';
import { sessions } from '../projections/support/bare-sessions.ts';
import { attributed, event, turn } from '../projections/support/given.ts';
import { type Ledger, ledgers } from './ledger.ts';

const ledger = ledgers();
const at = '2026-11-22T09:00:00.000Z';

const spending = (session: string, costNanoUsd: number) => [
  attributed(at, {}, session),
  { ...turn(at, { costNanoUsd, costSource: 'provider' }), subject: session },
];

function withdrawal(session: string) {
  const records = { events: [], session, token: null };
  return event('pi.records.withdrawn.v1', { at }, { records, reason: 'a test', by: null });
}

async function sums({ views }: Ledger): Promise<readonly bigint[]> {
  const found = [usage, totals].map((rollup) => views.sum(sessions, rollup, { by: [], where: [] }));
  return (await Promise.all(found)).map((rows) => rows[0]?.measures.nanoUsd ?? 0n);
}

async function folded(): Promise<Ledger> {
  const opened = ledger.open();
  await opened.append([...spending('real', 7), ...spending('forged', 200)]);
  const subscription = opened.subscribe();
  await subscription.catchUp();
  await subscription.stop();
  expect(await sums(opened)).toEqual([207n, 207n]);
  return opened;
}

it('are folded anew without it, counters included, also after a restart in between', async () => {
  const opened = await folded();
  const before = await opened.views.live(sessions);
  await opened.append([withdrawal('forged')]);
  for (const _ of [1, 2]) {
    const subscription = opened.subscribe();
    subscription.wake();
    await expect.poll(() => sums(opened)).toEqual([7n, 7n]);
    await subscription.stop();
  }
  const after = await opened.views.live(sessions);
  expect(after?.id).not.toBe(before?.id);
});

it('are read at a barrier only when they are without it', async () => {
  const opened = await folded();
  await opened.append([withdrawal('forged')]);
  // One event a step: the old view is at the barrier long before the new one has caught up.
  const subscription = opened.subscribe({ batchEventsMax: 1 });
  const read = await subscription.atBarrier({
    mark: () => opened.log.head(),
    work: () => sums(opened),
  });
  expect(read).toEqual([7n, 7n]);
});

it('are folded once for what is withdrawn, not at each start', async () => {
  const opened = await folded();
  await opened.append([withdrawal('forged')]);
  const ids = new Set<number | undefined>();
  for (const _ of [1, 2, 3]) {
    const subscription = opened.subscribe();
    subscription.wake();
    await expect.poll(() => sums(opened)).toEqual([7n, 7n]);
    await subscription.catchUp();
    ids.add((await opened.views.live(sessions))?.id);
    await subscription.stop();
  }
  expect(ids.size).toBe(1);
});
