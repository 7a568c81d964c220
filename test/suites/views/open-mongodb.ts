/**
 * Opens views in a MongoDB database, closed together with their connection; also for child
 * processes.
 */

import { cellDatabase } from '../../../collector/cells/mongodb/cell-database.ts';
import { connectMongodb } from '../../../collector/stores/mongodb/connection.ts';
import { migrateMongodb } from '../../../collector/stores/mongodb/schema.ts';
import { openMongodbViews } from '../../../collector/stores/mongodb/views/views.ts';
import type { Views } from '../../../collector/views/views.ts';

export interface ViewsAt {
  readonly uri: string;
  readonly cell?: number;
}

export async function openViewsAt({ uri, cell = 0 }: ViewsAt): Promise<Views> {
  const { database: ledger, close } = await connectMongodb({ uri });
  const database = cellDatabase(ledger, cell);
  await migrateMongodb(database);
  return { ...openMongodbViews({ database }), close };
}
