/** A MongoDB database opened without taking the lease. */
import type { StoreToRead } from '../driver.ts';
import { connectMongodb } from './connection.ts';
import type { AppendRight } from './log/appender.ts';
import { logCollections } from './log/collections.ts';
import { openMongodbLog } from './log/log.ts';
import { checkMongodbSchema } from './schema.ts';
import { openMongodbTokens } from './tokens.ts';

const noRight: AppendRight = { isHeld: () => false, confirm: async () => false };

export async function openMongodbToRead(uri: string): Promise<StoreToRead> {
  const { database, close } = await connectMongodb({ uri });
  try {
    await checkMongodbSchema(database);
    const log = await openMongodbLog({ database, right: noRight });
    return {
      storeId: log.storeId,
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

/** Null when there is no store yet. */
export async function readMongodbStoreId(uri: string): Promise<string | null> {
  const { database, close } = await connectMongodb({ uri });
  try {
    return (await logCollections(database).store.findOne({ _id: 'store' }))?.storeId ?? null;
  } finally {
    await close();
  }
}
