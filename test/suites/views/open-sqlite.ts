/**
 * Opens views alone in a SQLite file: what makes the file is the migrations, as for a whole store.
 */
import { migrateSqlite } from '../../../collector/stores/sqlite/migrate.ts';
import { openSqliteViews } from '../../../collector/stores/sqlite/views/views.ts';
import type { Views } from '../../../collector/views/views.ts';

export async function openViewsAt({ path }: { readonly path: string }): Promise<Views> {
  await migrateSqlite({ path });
  return openSqliteViews({ path });
}
