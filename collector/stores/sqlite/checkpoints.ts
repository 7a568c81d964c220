/** Subscribers' checkpoints in the SQLite file of the log, over a connection of their own. */
import type { DatabaseSync } from 'node:sqlite';
import { LedgerError } from '../../errors.ts';
import { type Checkpoint, type Checkpoints, expectStateFits } from '../../log/checkpoints.ts';
import { openFile } from './open-file.ts';
import { type Place, watchPlace } from './place.ts';

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

function checkpointsIn(database: DatabaseSync, readOnly: boolean, place: Place): Checkpoints {
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
