import type { Insights } from '@pi-ledger/contract/answers';
import { expect, it } from 'vitest';
import { turn } from '../../projections/support/given.ts';
import { get, ledgerHomes, post } from '../../support/ledger.ts';

const { open } = ledgerHomes();

it('is as old as it says while events come, where it is over many sessions', async () => {
  let nowMs = Date.parse('2026-11-22T12:00:00.000Z');
  const ledger = await open(() => nowMs);
  const ask = async () => {
    const { rows, readAt } = (await get(ledger, '/v1/insights')).json() as Insights;
    return [rows.find(({ kind }) => kind === 'unpriced-model')?.title, readAt];
  };
  const unpriced = (session: number) =>
    turn('2026-11-10T08:00:00.000Z', { costSource: 'unpriced', model: 'new' }, `s-${session}`);
  for (let from = 0; from < 2_001; from += 667)
    await post(
      ledger,
      Array.from({ length: 667 }, (_, index) => unpriced(from + index)),
    );
  const first = 'new has no price: 2,001 records';
  expect(await ask()).toEqual([first, null]);
  await post(ledger, [unpriced(2_001)]);
  nowMs += 20_000;
  expect(await ask()).toEqual([first, '2026-11-22T12:00:00.000Z']);
  await expect.poll(() => ask()).toEqual(['new has no price: 2,002 records', null]);
});
