/**
 * Tells the story to a store, folds, seals and rebuilds, in a loop until it is killed: `node
 * seal-for-ever.ts STORE`. Prints `telling` when it has begun, and `sealed` after each seal.
 */
import { randomUUID } from 'node:crypto';
import { createProjections } from '../../../collector/projections/registry.ts';
import { noRules } from '../../../collector/projections/rules.ts';
import { createSealer } from '../../../collector/seal/sealer.ts';
import { createFoldingSubscription } from '../../../collector/subscription/folding-subscription.ts';
import { receivedAtMs } from '../../collector/subscription/received-at.ts';
import { story } from '../../collector/subscription/story.ts';
import { openStore } from '../../collector/support/open-store.ts';
import { newestTold } from './told.ts';

const fail = (error: unknown): never => {
  throw error;
};
const store = await openStore(process.argv[2] ?? '', { now: Date.now, onError: fail });
while (!(await store.right.take())) await new Promise((resolve) => setTimeout(resolve, 100));
const { log, views } = store;
const projections = createProjections(noRules);
const subscription = createFoldingSubscription({ log, views, projections, onError: fail });
const sealer = createSealer({
  log,
  views,
  projections,
  bareProjections: projections,
  subscription,
  isWriter: store.right.isHeld,
  now: Date.now,
  random: randomUUID,
});

let told = await newestTold(log);
process.stdout.write('telling\n');
for (let batch = 1; ; batch++) {
  const events = story(told + 1, 20 + Math.floor(Math.random() * 60));
  await log.append({ receivedAtMs, events, deadLetters: [] });
  told += events.length;
  subscription.wake();
  if (batch % 3 === 1) void subscription.rebuild('sessions');
  if (batch % 2 === 0) {
    await sealer.seal({ floorMs: Math.max(1, told - Math.floor(Math.random() * 100)) });
    process.stdout.write('sealed\n');
  }
}
