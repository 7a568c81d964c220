import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { connectMongodb } from '../../collector/stores/mongodb/connection.ts';
import { createAppender } from '../../collector/stores/mongodb/log/appender.ts';
import { logCollections } from '../../collector/stores/mongodb/log/collections.ts';
import { exampleEvents } from '../collector/support/events.ts';
import { openLaneLog } from '../mongodb/support/lane-log.ts';
import { laneDatabases } from '../services/mongodb/databases.ts';
import { logKillSuite } from './log/kills.ts';
import { logSuite } from './log.ts';

const databases = laneDatabases();
const restMs = 200;

/** A cell between others, which have events before and after its own. */
logSuite('mongodb, a cell', async () => {
  const uri = databases.uri();
  for (const cell of [0, 1, 3]) {
    const other = await openLaneLog(uri, { cell });
    const events = exampleEvents(900_000 + cell * 10, 5);
    await other.append({ receivedAtMs: 1_795_300_000_000, events, deadLetters: [] });
    await other.close();
  }
  const open = () => openLaneLog(uri, { cell: 2 });
  return { log: await open(), reopen: open };
});

logKillSuite('mongodb', {
  child: new URL('./log/append-mongodb.ts', import.meta.url),
  newStore: () => databases.uri(),
  async open(uri) {
    await untilAtRest(uri);
    return openLaneLog(uri);
  },
  isAtomic: false,
});

it("log: mongodb has receipts of what a dead appender's late request inserted", async () => {
  const uri = databases.uri();
  const living = await openLaneLog(uri);
  const batchOf = (first: number) => ({
    receivedAtMs: 1_795_300_000_000,
    events: exampleEvents(first, 5),
    deadLetters: [],
  });
  await living.append(batchOf(1));
  const { database, close } = await connectMongodb({ uri });
  await createAppender(
    logCollections(database),
    { isHeld: () => true, confirm: async () => true },
    () => '',
  ).append([batchOf(6)]);
  await close();
  await living.append(batchOf(11));
  expect(await living.receipts()).toEqual([{ source: '/producers/one', ranges: [[1, 15]] }]);
  await living.close();
});

/** Waits while the server executes late requests of a killed process. */
async function untilAtRest(uri: string): Promise<void> {
  const log = await openLaneLog(uri);
  for (let head = -1, seen = 0; head !== seen; await sleep(restMs))
    [head, seen] = [seen, await log.head()];
  await log.close();
}
