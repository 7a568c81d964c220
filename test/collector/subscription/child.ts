/**
 * Appends the story to a store and folds it until it is killed: `node child.ts PATH`.
 * Writes a line when it has begun. Now and then it rebuilds a projection meanwhile.
 */

import { createProjections } from '../../../collector/projections/registry.ts';
import { noRules } from '../../../collector/projections/rules.ts';
import { openSqliteLog } from '../../../collector/stores/sqlite/log/log.ts';
import { openSqliteViews } from '../../../collector/stores/sqlite/views/views.ts';
import { createFoldingSubscription } from '../../../collector/subscription/folding-subscription.ts';
import { receivedAtMs } from './received-at.ts';
import { story } from './story.ts';

const path = process.argv[2] ?? '';
const log = openSqliteLog({ path });
const subscription = createFoldingSubscription({
  log,
  views: openSqliteViews({ path }),
  projections: createProjections(noRules),
  batchEventsMax: 60,
  memoryCharsMax: 20_000,
  onError(error) {
    throw error;
  },
});

let head = await log.head();
process.stdout.write('telling\n');
for (let batch = 1; ; batch++) {
  const events = story(head + 1, 1 + Math.floor(Math.random() * 30));
  await log.append({ receivedAtMs, events, deadLetters: [] });
  head += events.length;
  subscription.wake();
  if (batch % 10 === 5) void subscription.rebuild('sessions');
  if (batch % 3 === 0) await subscription.catchUp();
}
