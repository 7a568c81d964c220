/** A log on a server, with a connection of its own that closes with it. */

import { connectMongodb } from '../../../collector/stores/mongodb/connection.ts';
import type { AppendRight } from '../../../collector/stores/mongodb/log/appender.ts';
import { type MongodbLog, openMongodbLog } from '../../../collector/stores/mongodb/log/log.ts';
import { migrateMongodb } from '../../../collector/stores/mongodb/schema.ts';

/** A right that is always held: there is no other process. */
const alwaysRight: AppendRight = { isHeld: () => true, confirm: async () => true };

export async function openLaneLog(uri: string, operationMsMax?: number): Promise<MongodbLog> {
  const { database, close } = await connectMongodb({
    uri,
    ...(operationMsMax === undefined ? {} : { operationMsMax }),
  });
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
