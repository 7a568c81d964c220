import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openSqliteLog } from '../../collector/stores/sqlite/log/log.ts';
import { openSqliteCheckpoints } from '../../collector/stores/sqlite/store.ts';
import { temporaryDirectory } from '../collector/support/directory.ts';
import { checkpointsSuite } from './checkpoints.ts';

const directory = temporaryDirectory();
let stores = 0;

async function newStore(): Promise<string> {
  stores += 1;
  const path = join(directory, `${stores}.db`);
  await openSqliteLog({ path }).close();
  return path;
}

checkpointsSuite('sqlite', async () => {
  const path = await newStore();
  return {
    checkpoints: openSqliteCheckpoints({ path }),
    openBeside: async () => openSqliteCheckpoints({ path }),
  };
});

it('does not move or drop anything without the right to write', async () => {
  const path = await newStore();
  const writing = openSqliteCheckpoints({ path });
  await writing.move('traces', null, 5);
  const reading = openSqliteCheckpoints({ path, readOnly: true });
  await expect(reading.move('traces', 5, 6)).rejects.toMatchObject({ code: 'store_locked' });
  await expect(reading.drop('traces')).rejects.toMatchObject({ code: 'store_locked' });
  expect((await reading.read('traces'))?.position).toBe(5);
  await reading.close();
  await writing.close();
});
