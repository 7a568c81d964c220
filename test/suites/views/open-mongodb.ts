/**
 * Opens views in a MongoDB database, closed together with their connection; also for child
 * processes.
 */

import { connectMongodb } from '../../../collector/stores/mongodb/connection.ts';
import { migrateMongodb } from '../../../collector/stores/mongodb/schema.ts';
import { openMongodbViews } from '../../../collector/stores/mongodb/views/views.ts';
import type { Views } from '../../../collector/views/views.ts';

export async function openViewsAt({ uri }: { readonly uri: string }): Promise<Views> {
  const { database, close } = await connectMongodb({ uri });
  await migrateMongodb(database);
  return { ...openMongodbViews({ database }), close };
}
