/** A store in a SQLite file. Whoever opens it first writes it until it is closed; others read. */
import type { DatabaseSync } from 'node:sqlite';
import { LedgerError } from '../../errors.ts';
import { type Checkpoint, type Checkpoints, expectStateFits } from '../../log/checkpoints.ts';
import type { OpenStoreOptions, Store } from '../store.ts';
import { withNamedFile } from './damage.ts';
import { lockStore } from './lock.ts';
import { openSqliteLog } from './log/log.ts';
import { migrateSqlite } from './migrate.ts';
import { openFile } from './open-file.ts';
import { type DatabasePlace, watchPlace } from './place.ts';
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

// Subscribers' checkpoints in the SQLite file of the log, over a connection of their own.

export interface SqliteCheckpointsOptions {
  /** The file of an existing, migrated store. */
  readonly path: string;
  /** For a process without the store's lock: nothing is moved or dropped. */
  readonly readOnly?: boolean;
}

export function openSqliteCheckpoints({
  path,
  readOnly = false,
}: SqliteCheckpointsOptions): Checkpoints {
  const database = openFile({ path, readOnly });
  try {
    return checkpointsIn(database, readOnly, watchPlace(path));
  } catch (error) {
    database.close();
    throw error;
  }
}

const insert =
  'INSERT INTO checkpoints (name, position, state) VALUES (?, ?, ?) ON CONFLICT DO NOTHING';
const update = `
  UPDATE checkpoints SET position = ?, state = COALESCE(?, state) WHERE name = ? AND position = ?
`;

function checkpointsIn(
  database: DatabaseSync,
  readOnly: boolean,
  place: DatabasePlace,
): Checkpoints {
  const byName = database.prepare('SELECT name, position, state FROM checkpoints WHERE name = ?');
  const all = database.prepare('SELECT name, position, state FROM checkpoints ORDER BY name');

  function change(sql: string, ...values: (string | number | null)[]): number {
    if (readOnly) throw new LedgerError('store_locked');
    place.expectHeld();
    const { changes } = database.prepare(sql).run(...values);
    place.expectHeld();
    return Number(changes);
  }

  return {
    async read(name) {
      return (byName.get(name) as Checkpoint | undefined) ?? null;
    },
    async move(name, from, to, state) {
      expectStateFits(name, state);
      const changes =
        from === null
          ? change(insert, name, to, state ?? null)
          : change(update, to, state ?? null, name, from);
      return changes > 0 ? 'moved' : 'stale';
    },
    async drop(name) {
      change('DELETE FROM checkpoints WHERE name = ?', name);
    },
    async list() {
      return all.all() as unknown as Checkpoint[];
    },
    async close() {
      if (database.isOpen) database.close();
    },
  };
}
