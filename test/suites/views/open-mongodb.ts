/**
 * Opens views in a MongoDB database that are closed together with their connection; for child
 * processes as well.
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
