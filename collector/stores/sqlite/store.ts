/** A store in a SQLite file. Whoever opens it first writes it until it is closed; others read. */
import type { OpenStoreOptions, Store } from '../store.ts';
import { openSqliteCheckpoints } from './checkpoints.ts';
import { withNamedFile } from './damage.ts';
import { lockStore } from './lock.ts';
import { openSqliteLog } from './log/log.ts';
import { migrateSqlite } from './migrate.ts';
import { watchPlace } from './place.ts';
import { openSqliteTokens } from './tokens.ts';
import { explained, inWords } from './usable.ts';
import { openSqliteViews } from './views/views.ts';

/**
 * The lock holder migrates it. Throws as `openSqliteLog` and `migrateSqlite` do; errors of the file
 * system and of SQLite in words.
 */
export async function openSqliteStore(path: string, { now }: OpenStoreOptions): Promise<Store> {
  const lock = explained(path, () => lockStore(path));
  const readOnly = lock === null;
  try {
    if (!readOnly) await migrateSqlite({ path, now });
    const log = openSqliteLog({ path, readOnly, now });
    const views = openSqliteViews({ path, readOnly });
    const tokens = openSqliteTokens({ path, readOnly });
    const checkpoints = openSqliteCheckpoints({ path, readOnly });
    const place = watchPlace(path);
    return {
      storeId: log.storeId,
      log: withNamedFile(log, path),
      views: withNamedFile(views, path),
      tokens: withNamedFile(tokens, path),
      checkpoints: withNamedFile(checkpoints, path),
      trouble: place.trouble,
      right: { isHeld: () => !readOnly, take: async () => !readOnly, lost: () => never },
      async close() {
        await checkpoints.close();
        await tokens.close();
        await views.close();
        await log.close();
        lock?.release();
      },
    };
  } catch (error) {
    lock?.release();
    throw inWords(error, path);
  }
}

const never = new Promise<never>(() => undefined);
