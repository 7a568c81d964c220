/**
 * Appends the story, folds it and hands it to a subscriber, until it is killed: `node
 * subscriber-child.ts PATH WRITTEN [stop]`. The subscriber writes the positions that it is handed
 * into the file WRITTEN, a line each batch; with `stop` it says so and then stays between its work
 * and its checkpoint.
 */
import { appendFileSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createProjections } from '../../../collector/projections/registry.ts';
import { noRules } from '../../../collector/projections/rules.ts';
import { openSqliteLog } from '../../../collector/stores/sqlite/log/log.ts';
import { openSqliteCheckpoints } from '../../../collector/stores/sqlite/store.ts';
import { openSqliteViews } from '../../../collector/stores/sqlite/views/views.ts';
import { createFoldingSubscription } from '../../../collector/subscription/folding-subscription.ts';
import { createSubscribers } from '../../../collector/subscription/subscribers.ts';
import { receivedAtMs } from './received-at.ts';
import { story } from './story.ts';

const [path = '', written = '', stop] = process.argv.slice(2);
const log = openSqliteLog({ path });
const onError = (error: unknown): never => {
  throw error;
};
const subscription = createFoldingSubscription({
  log,
  views: openSqliteViews({ path }),
  projections: createProjections(noRules),
  onError,
});
createSubscribers({
  log,
  checkpoints: openSqliteCheckpoints({ path }),
  subscription,
  batchEventsMax: 7,
  paced: () => ({ turn: () => nextTurn(), took: () => undefined }),
  subscribers: [
    {
      name: 'traces',
      beginsAt: 'start',
      async handle({ events }) {
        appendFileSync(written, `${events.map(({ position }) => position).join(' ')}\n`);
        if (stop === undefined) return;
        process.stdout.write('handled\n');
        await new Promise(() => undefined);
      },
    },
  ],
  onError,
  onNotice: onError,
}).start();

let head = await log.head();
for (;;) {
  const events = story(head + 1, 1 + Math.floor(Math.random() * 20));
  await log.append({ receivedAtMs, events, deadLetters: [] });
  head += events.length;
  await subscription.catchUp();
  process.stdout.write('.');
}
