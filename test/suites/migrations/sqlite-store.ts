import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { migrateSqlite } from '../../../collector/stores/sqlite/migrate.ts';
import type { Migration } from '../../../migrations/migration.ts';
import { sqliteMigrations } from '../../../migrations/sqlite/registry.ts';
import type { SqliteTarget } from '../../../migrations/sqlite/target.ts';
import { linesOf, type Step, type StoreToMigrate } from '../migrations.ts';

export async function openStore(argument: { readonly path: string }): Promise<StoreToMigrate> {
  const { path } = argument;
  return {
    migrate: (steps, dryRun = false) =>
      migrateSqlite({ path, dryRun, migrations: [...sqliteMigrations, ...steps.map(toMigration)] }),
    own: sqliteMigrations.map(({ name }) => name),
    lines: async () => texts(path, 'SELECT text FROM lines ORDER BY rowid'),
    recorded: async () => texts(path, 'SELECT name FROM schema ORDER BY name'),
    opener: { module: import.meta.url, argument },
  };
}

function toMigration(step: Step): Migration<SqliteTarget> {
  return {
    name: step.name,
    up({ database }) {
      const [begun, done] = linesOf(step);
      database.exec('CREATE TABLE IF NOT EXISTS lines (text TEXT NOT NULL)');
      const add = database.prepare('INSERT INTO lines (text) VALUES (?)');
      add.run(begun);
      if (step.diesHalfWay) process.kill(process.pid, 'SIGKILL');
      if (step.fails) throw new Error('It cannot be done.');
      add.run(done);
    },
  };
}

function texts(path: string, sql: string): string[] {
  if (!existsSync(path)) return [];
  const database = new DatabaseSync(path, { readOnly: true });
  const table = /FROM (\w+)/.exec(sql)?.[1] ?? '';
  const isThere =
    database.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(table) !== undefined;
  const rows = isThere ? (database.prepare(sql).all() as Record<string, string>[]) : [];
  database.close();
  return rows.map((row) => Object.values(row)[0] ?? '');
}
