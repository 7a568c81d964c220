/** A MongoDB database opened without taking a lease: of several cells, all of them. */
import type { Db } from 'mongodb';
import type { Log } from '../../log/log.ts';
import type { StoreToRead } from '../driver.ts';
import { readCellCount } from './cell-count.ts';
import { connectMongodb } from './connection.ts';
import type { AppendRight } from './log/appender.ts';
import { logCollections } from './log/collections.ts';
import { type MongodbLog, openMongodbLog } from './log/log.ts';
import { checkMongodbSchema } from './schema.ts';
import { openMongodbTokens } from './tokens.ts';

const noRight: AppendRight = { isHeld: () => false, confirm: async () => false };

export async function openMongodbToRead(uri: string): Promise<StoreToRead> {
  const { database, close } = await connectMongodb({ uri });
  try {
    const first = await openLog(database, 0);
    const cells = await readCellCount(database);
    const log = cells === 1 ? first : await joinCells(database, cells, first);
    return {
      storeId: first.storeId,
      log,
      tokens: openMongodbTokens(database),
      async close() {
        await log.close();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openLog(database: Db, range: number): Promise<MongodbLog> {
  await checkMongodbSchema(database);
  return openMongodbLog({ database, range, right: noRight });
}

async function joinCells(database: Db, cells: number, first: Log): Promise<Log> {
  const { cellDatabase } = await import('../../cells/mongodb/cell-database.ts');
  const { joinLogs } = await import('../../cells/log/joined-log.ts');
  const logs = [first];
  for (let cell = 1; cell < cells; cell += 1)
    logs.push(await openLog(cellDatabase(database, cell), cell));
  return joinLogs(logs);
}

export async function readMongodbStoreId(uri: string): Promise<string | null> {
  const { database, close } = await connectMongodb({ uri });
  try {
    return (await logCollections(database).store.findOne({ _id: 'store' }))?.storeId ?? null;
  } finally {
    await close();
  }
}
