/** Opens `imports.db` and starts a damaged or outdated one anew. */
import { chmodSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { dropped, progressVersion, schema } from './tables.ts';

/** A missing, damaged or outdated file counts as empty. */
export function openReadOnly(path: string): DatabaseSync {
  if (!existsSync(path)) return prepare(':memory:');
  const database = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
  try {
    if (versionOf(database) === progressVersion) return database;
  } catch (error) {
    if (!isDamaged(error)) throw error;
  }
  database.close();
  return prepare(':memory:');
}

export function openDatabase(path: string): DatabaseSync {
  try {
    return prepare(path);
  } catch (error) {
    if (!isDamaged(error)) throw error;
    for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
    return prepare(path);
  }
}

function prepare(path: string): DatabaseSync {
  if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const database = new DatabaseSync(path, { timeout: 5_000 });
  try {
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF;');
    if (versionOf(database) !== progressVersion) database.exec(dropped);
    database.exec(schema);
    if (path !== ':memory:') chmodSync(path, 0o600);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function versionOf(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.user_version);
}

/** SQLITE_CORRUPT, SQLITE_NOTADB */
function isDamaged(error: unknown): boolean {
  return [11, 26].includes(Number((error as { errcode?: unknown }).errcode));
}
