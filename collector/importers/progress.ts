/**
 * How far each session file was read into which store: `imports.db` in the home.
 *
 * Losing it costs time and nothing else: files are read once more and the log drops the repeats. So it is written without waiting for the
 * disk, and a damaged one is begun anew. It is kept by the store's identity: a new store is filled from the start.
 */
import { chmodSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { SubagentParent } from '@pi-ledger/extension/record/entry-draft';
import type { Issue } from './issues.ts';
import type { Bookmark, Claim } from './read-job.ts';

export interface FileProgress {
  readonly path: string;
  readonly stamp: string;
  readonly bookmark: Bookmark | null;
  /** Nothing could be made of it. */
  readonly isFailed: boolean;
  readonly claimedBy: SubagentParent | null;
  /** What was wrong with it: the first of each kind, and how many there are. */
  readonly issues: FileIssues;
}

export interface FileIssues {
  readonly list: readonly Issue[];
  readonly count: number;
}

/** What is known of a file that has not changed. */
interface KnownFile {
  readonly stamp: string;
  /** Nothing could be made of it. */
  readonly isFailed: boolean;
  /** As JSON; null when there are none. */
  readonly issues: string | null;
}

/**
 * A subagent's file that was read without its parent being known: another session claims its first answer (of several, the one that claimed
 * it first: the nearest parent), or the parent's file was not there yet.
 */
export interface LateChild {
  readonly path: string;
  readonly claimedBy: SubagentParent;
  /** It was read as a subagent of another session, which repeats what the nearest parent says. */
  readonly isClaimedAnew: boolean;
}

/** Contract: synchronous; throws when the disk fails. */
export interface Progress {
  /** By path, all files of this store. */
  files(): ReadonlyMap<string, KnownFile>;
  of(path: string): FileProgress | null;
  save(files: readonly FileProgress[], claims: readonly Claim[]): void;
  lateChildren(): readonly LateChild[];
  close(): void;
}

export interface ProgressOptions {
  /** The file, or `:memory:`. */
  readonly path: string;
  readonly storeId: string;
  /** For a dry run: what is saved is forgotten. */
  readonly readOnly?: boolean;
}

const version = 2;
export const noIssues: FileIssues = { list: [], count: 0 };

const schema = `
  CREATE TABLE IF NOT EXISTS files (
    store TEXT NOT NULL, path TEXT NOT NULL, stamp TEXT NOT NULL, bookmark TEXT, session TEXT, first_answer TEXT,
    awaited_file TEXT, awaited_key TEXT, claimed_by_session TEXT, claimed_by_key TEXT, is_failed INTEGER NOT NULL, issues TEXT,
    PRIMARY KEY (store, path)
  ) STRICT;
  CREATE TABLE IF NOT EXISTS claims (
    store TEXT NOT NULL, key TEXT NOT NULL, session TEXT NOT NULL, turn TEXT NOT NULL, time TEXT NOT NULL,
    PRIMARY KEY (store, key)
  ) STRICT;
  PRAGMA user_version = ${version};
`;

/** CROSS JOIN: for each file its claim. There can be many more claims than files. */
const lateChildrenQuery = `
  SELECT f.path, c.session, 'turn:' || c.turn AS key, f.claimed_by_session AS before
  FROM files f CROSS JOIN claims c ON c.store = f.store AND c.key = f.first_answer
  WHERE f.store = :store AND f.session <> c.session AND coalesce(f.claimed_by_session, '') <> c.session
  UNION ALL
  SELECT f.path, p.session, f.awaited_key, NULL FROM files f CROSS JOIN files p ON p.store = f.store AND p.path = f.awaited_file
  WHERE f.store = :store AND p.session IS NOT NULL AND p.session <> f.session
`;

export function openProgress({ path, storeId, readOnly = false }: ProgressOptions): Progress {
  const database = readOnly ? openReadOnly(path) : open(path);
  const find = database.prepare('SELECT * FROM files WHERE store = ? AND path = ?');
  const list = database.prepare('SELECT path, stamp, is_failed, issues FROM files WHERE store = ?');
  list.setReturnArrays(true);
  const children = database.prepare(lateChildrenQuery);
  const saving = readOnly ? null : prepareSaving(database);

  return {
    files() {
      const rows = list.all(storeId) as unknown as [path: string, stamp: string, isFailed: number, issues: string | null][];
      return new Map(rows.map(([filePath, stamp, isFailed, issues]) => [filePath, { stamp, isFailed: isFailed === 1, issues }]));
    },
    of: (filePath) => readFile(find.get(storeId, filePath) as FileRow | undefined),
    save(files, claims) {
      if (saving === null) return;
      database.exec('BEGIN IMMEDIATE');
      try {
        for (const file of files) saving.file.run(storeId, ...rowOf(file));
        for (const { key, sessionId, turnEntryId, time } of claims) saving.claim.run(storeId, key, sessionId, turnEntryId, time);
        database.exec('COMMIT');
      } catch (error) {
        if (database.isTransaction) database.exec('ROLLBACK');
        throw error;
      }
    },
    lateChildren() {
      const rows = children.all({ store: storeId }) as unknown as LateChildRow[];
      return rows.map(({ session, key, before, ...row }) => ({
        ...row,
        claimedBy: { sessionId: session, key },
        isClaimedAnew: before !== null,
      }));
    },
    close: () => database.close(),
  };
}

interface FileRow {
  readonly path: string;
  readonly stamp: string;
  readonly bookmark: string | null;
  readonly claimed_by_session: string | null;
  readonly claimed_by_key: string | null;
  readonly is_failed: number;
  readonly issues: string | null;
}

interface LateChildRow {
  readonly path: string;
  readonly session: string;
  readonly key: string;
  readonly before: string | null;
}

/** A file that is not there, is damaged or of another version tells nothing. */
function openReadOnly(path: string): DatabaseSync {
  if (!existsSync(path)) return prepare(':memory:');
  const database = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
  try {
    if (versionOf(database) === version) return database;
  } catch (error) {
    if (!isDamaged(error)) throw error;
  }
  database.close();
  return prepare(':memory:');
}

function open(path: string): DatabaseSync {
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
    if (versionOf(database) !== version) database.exec('DROP TABLE IF EXISTS files; DROP TABLE IF EXISTS claims;');
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

function prepareSaving(database: DatabaseSync) {
  return {
    file: database.prepare('INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)'),
    claim: database.prepare(
      `INSERT INTO claims VALUES (?, ?, ?, ?, ?) ON CONFLICT (store, key) DO UPDATE
       SET session = excluded.session, turn = excluded.turn, time = excluded.time
       WHERE (excluded.time, excluded.session) < (claims.time, claims.session)`,
    ),
  };
}

function rowOf({ path, stamp, bookmark, isFailed, claimedBy, issues }: FileProgress): [string, string, ...(string | number | null)[]] {
  return [
    path,
    stamp,
    bookmark === null ? null : JSON.stringify(bookmark),
    bookmark?.header.id ?? null,
    bookmark?.standing.firstAnswer ?? null,
    bookmark?.standing.awaitedParent?.file ?? null,
    bookmark?.standing.awaitedParent?.key ?? null,
    claimedBy?.sessionId ?? null,
    claimedBy?.key ?? null,
    isFailed ? 1 : 0,
    issues.count === 0 ? null : JSON.stringify(issues),
  ];
}

export function issuesOf(text: string | null): FileIssues {
  return text === null ? noIssues : (JSON.parse(text) as FileIssues);
}

function readFile(row: FileRow | undefined): FileProgress | null {
  if (row === undefined) return null;
  const { path, stamp, bookmark, claimed_by_session: sessionId, claimed_by_key: key } = row;
  const claimedBy = sessionId === null || key === null ? null : { sessionId, key };
  return {
    path,
    stamp,
    bookmark: bookmark === null ? null : (JSON.parse(bookmark) as Bookmark),
    isFailed: row.is_failed === 1,
    claimedBy,
    issues: issuesOf(row.issues),
  };
}
