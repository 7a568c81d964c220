/** Several questions to the views for one answer leave the thread to others. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openViewsAt } from '../../../suites/views/open-sqlite.ts';
import { goLive } from '../../../suites/views/stores.ts';
import { thingSums, things } from '../../../suites/views/things.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import { keepThread, turnsOfOthers } from '../../support/turns.ts';

const directory = temporaryDirectory();
const count = 10;

it.each(['find', 'count', 'sum'] as const)('%s', async (name) => {
  const views = await openViewsAt({ path: join(directory, `${name}.db`) });
  await goLive(views, things);
  const orderBy = { column: 'key', descending: false };
  const ask = {
    find: () => views.find(things, { where: [], orderBy, limit: 1 }),
    count: () => views.count(things, []),
    sum: () => views.sum(things, thingSums, { by: [], where: [] }),
  };
  const turns = await turnsOfOthers(async () => {
    for (let asked = 0; asked < count; asked += 1) {
      keepThread(15);
      await ask[name]();
    }
  });
  expect(turns).toBeGreaterThanOrEqual(count);
  await views.close();
});
