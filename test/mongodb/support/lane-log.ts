/** A log on a server, with a connection of its own that closes with it. */

import { cellDatabase } from '../../../collector/cells/mongodb/cell-database.ts';
import { connectMongodb } from '../../../collector/stores/mongodb/connection.ts';
import type { AppendRight } from '../../../collector/stores/mongodb/log/appender.ts';
import { type MongodbLog, openMongodbLog } from '../../../collector/stores/mongodb/log/log.ts';
import { migrateMongodb } from '../../../collector/stores/mongodb/schema.ts';

/** A right that is always held: there is no other process. */
const alwaysRight: AppendRight = { isHeld: () => true, confirm: async () => true };

export async function openLaneLog(
  uri: string,
  { operationMsMax, cell = 0 }: { readonly operationMsMax?: number; readonly cell?: number } = {},
): Promise<MongodbLog> {
  const { database: ledger, close } = await connectMongodb({
    uri,
    ...(operationMsMax === undefined ? {} : { operationMsMax }),
  });
  const database = cellDatabase(ledger, cell);
  await migrateMongodb(database);
  const log = await openMongodbLog({ database, range: cell, right: alwaysRight });
  await log.takeOver();
  return {
    ...log,
    async close() {
      await log.close();
      await close();
    },
  };
}
