/** Opens views alone in a SQLite file, which the migrations create. */
import { migrateSqlite } from '../../../collector/stores/sqlite/migrate.ts';
import { openSqliteViews } from '../../../collector/stores/sqlite/views/views.ts';
import type { Views } from '../../../collector/views/views.ts';

export async function openViewsAt({ path }: { readonly path: string }): Promise<Views> {
  await migrateSqlite({ path });
  return openSqliteViews({ path });
}
