import { expect, it } from 'vitest';
import { totals } from '../../../collector/projections/totals.ts';
import { usage } from '../../../collector/projections/usage.ts';
import { sessions } from '../projections/support/bare-sessions.ts';
import { event, turn } from '../projections/support/given.ts';
import { contentsOf, expectContents, expectedContents, ledgers } from './ledger.ts';

const { open } = ledgers();
const at = '2026-11-22T10:00:00.000Z';

it.each([
  [
    'records of a million dollars, in sessions of their own',
    (index: number) => turn(at, { costNanoUsd: 1e15, inputTokens: 1e12 }, `s${index}`),
  ],
  [
    'upper estimates as large as the contract has them',
    () =>
      event(
        'pi.attempt.estimated.v1',
        { at },
        { tokensMax: Number.MAX_SAFE_INTEGER, costNanoUsdMax: Number.MAX_SAFE_INTEGER },
      ),
  ],
])('sums beyond 64 bits stop no view, now or after a rebuild: %s', async (_what, eventOf) => {
  const ledger = open();
  const given = Array.from({ length: 9_400 }, (_, index) => eventOf(index));
  await ledger.append(given.slice(0, 5_000));
  const subscription = ledger.subscribe({ batchEventsMax: 3_000 });
  await subscription.catchUp();
  await ledger.append(given.slice(5_000));
  await subscription.catchUp();
  expect(ledger.errors).toEqual([]);
  const [all] = await ledger.views.sum(sessions, usage, { by: [], where: [] });
  expect([all?.measures.nanoUsd, all?.measures.unreportedNanoUsdMax]).toContain(
    9_400n * BigInt(given[0]?.type === 'pi.turn.completed.v1' ? 1e15 : Number.MAX_SAFE_INTEGER),
  );
  expectContents(await contentsOf(ledger.views), expectedContents(given));
  await subscription.rebuild('sessions');
  expectContents(await contentsOf(ledger.views), expectedContents(given));
  expect(await ledger.views.sum(sessions, totals, { by: [], where: [] })).toHaveLength(1);
});
