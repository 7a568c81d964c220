/** A log on a server, with a connection of its own that closes with it. */

import { type MongodbLog, openMongodbLog } from '../../../collector/log/mongodb.ts';
import type { AppendRight } from '../../../collector/log/mongodb-appender.ts';
import { createLogCollections } from '../../../collector/log/mongodb-collections.ts';
import { connectMongodb } from '../../../collector/mongodb/connection.ts';

/** Nobody else is there. */
const alwaysRight: AppendRight = { isHeld: () => true, confirm: async () => true };

export async function openLaneLog(uri: string, operationMsMax?: number): Promise<MongodbLog> {
  const { database, close } = await connectMongodb({ uri, ...(operationMsMax === undefined ? {} : { operationMsMax }) });
  await createLogCollections(database, Date.now());
  const log = await openMongodbLog({ database, right: alwaysRight });
  await log.takeOver();
  return {
    ...log,
    async close() {
      await log.close();
      await close();
    },
  };
}
