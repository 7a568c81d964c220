/**
 * How far each session file was read into which store: `imports.db` in the home.
 *
 * Losing it costs only time: files are read again and the log drops the repeats. So it is written
 * without waiting for the disk, and a damaged one is started anew. It is kept per store identity: a
 * new store is filled from the start, and so is one restored to an earlier state (witnesses.ts).
 */
import { chmodSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { CopiedAnswer, FileClaim } from '../proofs.ts';
import { allSumKeys, type SavedRuns } from '../run-sums.ts';
import type { RecordedFiles } from '../session/private/taken-back.ts';
import {
  type FileProgress,
  type FileRow,
  readFile,
  readTies,
  type TieRow,
  type ToldRow,
  toRow,
} from './file-rows.ts';
import { type LateChild, prepareLateChildren } from './late-children.ts';
import { type LateSession, lateSessionsIn, saveLateSessions } from './late-sessions.ts';
import { preparePrivateParents, type SavedPrivateParents } from './private-parents.ts';
import { prepareRecorded } from './recorded.ts';
import { createScanNotes, type OpenScanNotes } from './scans.ts';
import { dropped, progressVersion, schema } from './tables.ts';
import { createWitnesses, type Witnesses } from './witnesses.ts';

/** What is known about an unchanged file. */
interface KnownFile {
  readonly stamp: string;
  /** Nothing in it could be imported. */
  readonly isFailed: boolean;
  /** As JSON; null when there are none. */
  readonly issues: string | null;
  readonly againAtMs: number | null;
}

/** Contract: synchronous; throws when the disk fails. */
export interface ProgressStore {
  /** All files of this store, by path. */
  files(): ReadonlyMap<string, KnownFile>;
  of(path: string): FileProgress | null;
  /** Whether a file of this session was imported. */
  hasSession(sessionId: string): boolean;
  /** The files of which something was recorded. */
  recorded(): RecordedFiles;
  save(files: readonly FileProgress[], claims: readonly FileClaim[]): void;
  lateChildren(): readonly LateChild[];
  /** By the file's path. */
  privateParents(): SavedPrivateParents;
  savePrivateParents(before: SavedPrivateParents, after: SavedPrivateParents): void;
  /** A dry run has no witnesses and no notes of open scans. */
  readonly witnesses: Witnesses | null;
  readonly openScanNotes: OpenScanNotes | null;
  /** Sessions that exports brought too late. */
  lateSessions(): readonly LateSession[];
  saveLateSessions(sessions: readonly LateSession[]): void;
  close(): void;
}

export interface ProgressOptions {
  /** The file, or `:memory:`. */
  readonly path: string;
  readonly storeId: string;
  /** For a dry run: what is saved is forgotten. */
  readonly readOnly?: boolean;
}

export function openProgress({ path, storeId, readOnly = false }: ProgressOptions): ProgressStore {
  const database = readOnly ? openReadOnly(path) : openDatabase(path);
  const find = database.prepare('SELECT * FROM files WHERE store = ? AND path = ?');
  const ofSession = database.prepare('SELECT 1 FROM files WHERE store = ? AND session = ? LIMIT 1');
  const list = database.prepare(
    "SELECT path, stamp, is_failed, issues, again_at_ms FROM files WHERE store = ? AND stamp <> ''",
  );
  list.setReturnArrays(true);
  const told = database.prepare(
    'SELECT first_answer, session, key FROM told WHERE store = ? AND path = ?',
  );
  const tied = database.prepare(
    'SELECT session, entry, time FROM ties WHERE store = ? AND path = ?',
  );
  const findLate = prepareLateChildren(database, storeId);
  const privateParents = preparePrivateParents(database, storeId);
  const saving = readOnly ? null : prepareSaving(database, storeId);

  return {
    files() {
      const rows = list.all(storeId) as unknown as KnownRow[];
      return new Map(
        rows.map(([filePath, stamp, isFailed, issues, againAtMs]) => [
          filePath,
          { stamp, isFailed: isFailed === 1, issues, againAtMs },
        ]),
      );
    },
    of(filePath) {
      const row = find.get(storeId, filePath) as FileRow | undefined;
      return row === undefined
        ? null
        : {
            ...readFile(row, told.all(storeId, filePath) as unknown as ToldRow[]),
            ties: readTies(tied.all(storeId, filePath) as unknown as TieRow[]),
          };
    },
    recorded: prepareRecorded(database, storeId),
    hasSession: (sessionId) => ofSession.get(storeId, sessionId) !== undefined,
    save(files, claims) {
      if (saving === null) return;
      database.exec('BEGIN IMMEDIATE');
      try {
        for (const file of files) saving.file(file);
        for (const claim of claims) saving.claim(claim);
        database.exec('COMMIT');
      } catch (error) {
        if (database.isTransaction) database.exec('ROLLBACK');
        throw error;
      }
    },
    witnesses: readOnly ? null : createWitnesses(database, storeId),
    openScanNotes: readOnly ? null : createScanNotes(database, storeId),
    lateChildren: findLate,
    privateParents: privateParents.all,
    savePrivateParents: (before, after) => {
      if (!readOnly) privateParents.save(before, after);
    },
    lateSessions: () => lateSessionsIn(database, storeId),
    saveLateSessions: (sessions) => saveLateSessions(database, storeId, sessions),
    close: () => database.close(),
  };
}

type KnownRow = [
  path: string,
  stamp: string,
  isFailed: number,
  issues: string | null,
  againAtMs: number | null,
];

function prepareSaving(database: DatabaseSync, storeId: string) {
  const file = database.prepare(
    'INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const answer = database.prepare('INSERT OR IGNORE INTO copied_answers VALUES (?, ?, ?)');
  const copiedRun = database.prepare('INSERT OR IGNORE INTO copied_runs VALUES (?, ?, ?, ?, ?, ?)');
  const told = database.prepare('INSERT OR IGNORE INTO told VALUES (?, ?, ?, ?, ?)');
  const oldRuns = database.prepare('DELETE FROM runs WHERE store = ? AND path = ?');
  const run = database.prepare('INSERT OR IGNORE INTO runs VALUES (?, ?, ?)');
  const tie = database.prepare('INSERT OR IGNORE INTO ties VALUES (?, ?, ?, ?, ?)');
  const claim = database.prepare('INSERT OR IGNORE INTO claims VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
  const named = database.prepare('INSERT OR IGNORE INTO named VALUES (?, ?, ?, ?)');
  return {
    file(saved: FileProgress): void {
      const { path, bookmark, alsoClaimedBy } = saved;
      file.run(storeId, ...toRow(saved));
      this.copies(path, bookmark?.standing.copiedAnswers ?? []);
      const placed = bookmark?.standing.placedParent ?? null;
      if (bookmark !== null && placed !== null)
        named.run(storeId, bookmark.header.id, placed.sessionId, placed.key);
      for (const { firstAnswer, parent } of alsoClaimedBy)
        told.run(storeId, path, firstAnswer ?? '', parent.sessionId, parent.key);
      this.runs(path, bookmark?.standing.runs ?? null);
      for (const { sessionId, entryId, time } of saved.ties)
        tie.run(storeId, path, sessionId, entryId, time);
    },
    copies(path: string, copied: readonly CopiedAnswer[]): void {
      for (const { sessionId, key, beganAt, sums } of copied) {
        answer.run(storeId, path, key);
        for (const sum of sums) copiedRun.run(storeId, path, sessionId, key, beganAt, sum);
      }
    },
    runs(path: string, runs: SavedRuns | null): void {
      if (runs === null) return;
      oldRuns.run(storeId, path);
      for (const key of allSumKeys(runs)) run.run(storeId, path, key);
    },
    claim({ key, claimId, holder, sessionId, turnEntryId, turnAt, time }: FileClaim): void {
      claim.run(storeId, key, claimId, holder, sessionId, turnEntryId, turnAt, time);
    },
  };
}

// Opens `imports.db` and starts a damaged or outdated one anew.

/** A missing, damaged or outdated file counts as empty. */
function openReadOnly(path: string): DatabaseSync {
  if (!existsSync(path)) return prepare(':memory:');
  const database = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
  try {
    if (readVersion(database) === progressVersion) return database;
  } catch (error) {
    if (!isDamaged(error)) throw error;
  }
  database.close();
  return prepare(':memory:');
}

function openDatabase(path: string): DatabaseSync {
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
    if (readVersion(database) !== progressVersion) database.exec(dropped);
    database.exec(schema);
    if (path !== ':memory:') chmodSync(path, 0o600);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function readVersion(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.user_version);
}

/** SQLITE_CORRUPT, SQLITE_NOTADB */
function isDamaged(error: unknown): boolean {
  return [11, 26].includes(Number((error as { errcode?: unknown }).errcode));
}
