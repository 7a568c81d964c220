/** What the lane plays of `npm run faults`: one short episode. */
import { expect } from 'vitest';
import { seed } from '../../test/hosts/support/machine/dice.ts';
import { playEpisode } from './episode.ts';
import { serverKillsIn } from './steps/tally.ts';
import type { TargetName } from './world/targets.ts';

/**
 * A tenth of the load of a long run: whatever is killed has writes in flight all the same, since a
 * kill waits for one, and what runs beside this has a processor.
 */
const pauseMsMax = 80;
/** Seeds of episodes stay whole numbers. */
const seedsMax = 10_000;

export async function expectAllHolds(target: TargetName, kills: number): Promise<void> {
  const tell = (line: string): void => console.log(`  ${line}`);
  console.log(`PI_LEDGER_TEST_SEED=${seed % seedsMax}`);
  const outcome = await playEpisode({
    ...{ target, seed: seed % seedsMax, episode: 1, kills, pauseMsMax, tell },
  });
  tell(JSON.stringify(outcome.kills));
  expect(outcome).toMatchObject({ gaveUp: null, violations: [], lost: 0, double: 0 });
  expect(outcome.acknowledged).toBeGreaterThan(0);
  expect(outcome.countersCompared).toBeGreaterThan(0);
  expect(serverKillsIn(outcome.kills)).toBeGreaterThan(0);
}
