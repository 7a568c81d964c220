/** A MongoDB database opened without taking a lease: of several cells, all of them. */
import type { Db } from 'mongodb';
import { joinLogs } from '../../log/joined/joined-log.ts';
import type { StoreToRead } from '../driver.ts';
import { readCellCount } from './cell-count.ts';
import { cellDatabase } from './cell-database.ts';
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
    const logs = [first];
    const cells = await readCellCount(database);
    for (let cell = 1; cell < cells; cell += 1) logs.push(await openLog(database, cell));
    const log = cells === 1 ? first : joinLogs(logs);
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

async function openLog(ledger: Db, cell: number): Promise<MongodbLog> {
  const database = cellDatabase(ledger, cell);
  await checkMongodbSchema(database);
  return openMongodbLog({ database, cell, right: noRight });
}

export async function readMongodbStoreId(uri: string): Promise<string | null> {
  const { database, close } = await connectMongodb({ uri });
  try {
    return (await logCollections(database).store.findOne({ _id: 'store' }))?.storeId ?? null;
  } finally {
    await close();
  }
}
