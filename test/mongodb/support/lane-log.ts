/** A log on a server, with a connection of its own that closes with it. */

import { type MongodbLog, openMongodbLog } from '../../../collector/log/mongodb.ts';
import type { AppendRight } from '../../../collector/log/mongodb-appender.ts';
import { connectMongodb } from '../../../collector/mongodb/connection.ts';
import { migrateMongodb } from '../../../collector/stores/mongodb/schema.ts';

/** Nobody else is there. */
const alwaysRight: AppendRight = { isHeld: () => true, confirm: async () => true };

export async function openLaneLog(uri: string, operationMsMax?: number): Promise<MongodbLog> {
  const { database, close } = await connectMongodb({ uri, ...(operationMsMax === undefined ? {} : { operationMsMax }) });
  await migrateMongodb(database);
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
