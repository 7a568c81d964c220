/** A short run of `npm run faults -- --target embedded`. */
import { expect, it } from 'vitest';
import { seed } from '../hosts/support/machine/dice.ts';
import { playEpisode } from './episode.ts';
import { serverKillsIn } from './steps/tally.ts';

it('has what was acknowledged once, and right figures, whatever is done to a collector', async () => {
  const outcome = await playEpisode({
    target: 'embedded',
    seed: seed % 10_000,
    episode: 1,
    kills: 10,
  });
  console.log(`PI_LEDGER_TEST_SEED=${seed}`, outcome.kills, outcome.history.join('\n'));
  expect(outcome).toMatchObject({ gaveUp: null, violations: [], lost: 0, double: 0 });
  expect(outcome.acknowledged).toBeGreaterThan(0);
  expect(outcome.countersCompared).toBeGreaterThan(0);
  expect(serverKillsIn(outcome.kills)).toBeGreaterThan(0);
});
