import { expect, it } from 'vitest';
import { exampleEvents } from '../collector/support/events.ts';
import { openLaneLog } from '../mongodb/support/lane-log.ts';
import { laneDatabases } from '../services/mongodb/databases.ts';
import { historyKillSuite } from './history/kills.ts';
import { historySuite } from './history.ts';
import { openViewsAt } from './views/open-mongodb.ts';

const databases = laneDatabases();

/** A cell between others, which have events before and after its own. */
historySuite('mongodb, a cell', async () => {
  const uri = databases.uri();
  for (const cell of [0, 2]) {
    const other = await openLaneLog(uri, { cell });
    const events = exampleEvents(900_000 + cell * 10, 5);
    await other.append({ receivedAtMs: 1_795_300_000_000, events, deadLetters: [] });
    await other.close();
  }
  return { log: await openLaneLog(uri, { cell: 1 }), views: await openViewsAt({ uri, cell: 1 }) };
});

historyKillSuite('mongodb', { store: () => databases.uri(), kills: 5, killAfterMsMax: 4_000 });

it('lets no collector put a seal in force that was overtaken while it was halted', async () => {
  const uri = databases.uri();
  const halted = await openLaneLog(uri);
  const next = await openLaneLog(uri);
  const seal = { sealId: 'late', floorMs: 5, first: 1, last: 2, superseded: null };
  await expect(halted.history.enforce(seal)).rejects.toThrow('taken the log over');
  expect(await next.history.seal()).toBeNull();
  await next.history.enforce(seal);
  expect(await next.history.seal()).toEqual(seal);
  await halted.close();
  await next.close();
});
