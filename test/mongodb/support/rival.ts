/**
 * One of several processes that write one log: takes the lease, appends while it holds it, stands
 * by while it does not, without end. Prints `held`, `lost` and the first number of each
 * acknowledged batch. Arguments: address, first number.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { connectMongodb } from '../../../collector/stores/mongodb/connection.ts';
import { createLease, takeLease } from '../../../collector/stores/mongodb/lease.ts';
import { openMongodbLog } from '../../../collector/stores/mongodb/log/log.ts';
import { migrateMongodb } from '../../../collector/stores/mongodb/schema.ts';
import { exampleEvents } from '../../collector/support/events.ts';
import { batchEvents } from '../../suites/log/append-for-ever.ts';
import { rivalTimes as times } from './rival-times.ts';

const [uri = '', start = '1'] = process.argv.slice(2);
const say = (text: string): void => void process.stdout.write(`${text}\n`);
let first = Number(start);

const { database } = await connectMongodb({ uri });
await migrateMongodb(database);
await createLease(database);

for (;;) {
  const lease = await takeLease({
    database,
    holder: String(process.pid),
    times,
    onError: () => undefined,
  });
  if (lease === null) {
    await sleep(100);
    continue;
  }
  const log = await openMongodbLog({ database, right: lease });
  await log.takeOver();
  say('held');
  try {
    for (;;) {
      await log.append({
        receivedAtMs: Date.now(),
        events: exampleEvents(first, batchEvents),
        deadLetters: [],
      });
      say(String(first));
      first += batchEvents;
    }
  } catch (error) {
    say((error as { code?: unknown }).code === 'standing_by' ? 'lost' : `failed ${error}`);
  }
}
