/**
 * How far each session file was read into which store: `imports.db` in the home.
 *
 * Losing it costs only time: files are read again and the log drops the repeats. So it is written
 * without waiting for the disk, and a damaged one is started anew. It is kept per store identity: a
 * new store is filled from the start, and so is one restored to an earlier state (witnesses.ts).
 */
import type { DatabaseSync } from 'node:sqlite';
import type { SubagentParent } from '@pi-ledger/extension/record/entry-draft';
import { fileRef } from '@pi-ledger/extension/record/link';
import { sessionIdOfParent } from '@pi-ledger/extension/record/session';
import { type IssueList, noIssues } from '../issues.ts';
import type { AnswerClaim, ResultTie } from '../session/reader-state.ts';
import { type SavedRuns, sumKeys } from '../session/run-sums.ts';
import type { Bookmark, FileClaim } from '../threads/read-job.ts';
import { type LateChild, prepareLateChildren } from './late-children.ts';
import { preparePrivateParents, type SavedPrivateParents } from './private-parents.ts';
import { openDatabase, openReadOnly } from './progress-database.ts';
import { createScanNotes, type OpenScanNotes } from './scans.ts';
import { createWitnesses, type Witnesses } from './witnesses.ts';

export interface FileProgress {
  readonly path: string;
  readonly stamp: string;
  readonly bookmark: Bookmark | null;
  /** Nothing in it could be imported. */
  readonly isFailed: boolean;
  readonly claimedBy: SubagentParent | null;
  /**
   * Other sessions than `claimedBy` that were told of its answers when it was read from the start.
   */
  readonly alsoClaimedBy: readonly AnswerClaim[];
  /** Tool results that are about its session, and were told so. */
  readonly ties: readonly ResultTie[];
  /** Problems found in it. */
  readonly issues: IssueList;
  /** When to read it again even if unchanged; null for never. */
  readonly againAtMs: number | null;
}

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
export interface Progress {
  /** All files of this store, by path. */
  files(): ReadonlyMap<string, KnownFile>;
  of(path: string): FileProgress | null;
  /** Whether a file of this session was imported. */
  hasSession(sessionId: string): boolean;
  save(files: readonly FileProgress[], claims: readonly FileClaim[]): void;
  lateChildren(): readonly LateChild[];
  /** By the file's path. */
  privateParents(): SavedPrivateParents;
  savePrivateParents(before: SavedPrivateParents, after: SavedPrivateParents): void;
  /** Null for a dry run. */
  readonly witnesses: Witnesses | null;
  /** Null for a dry run. */
  readonly openScanNotes: OpenScanNotes | null;
  close(): void;
}

export interface ProgressOptions {
  /** The file, or `:memory:`. */
  readonly path: string;
  readonly storeId: string;
  /** For a dry run: what is saved is forgotten. */
  readonly readOnly?: boolean;
}

export function openProgress({ path, storeId, readOnly = false }: ProgressOptions): Progress {
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
  readonly again_at_ms: number | null;
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
    'INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const answer = database.prepare('INSERT OR IGNORE INTO copied_answers VALUES (?, ?, ?)');
  const told = database.prepare('INSERT OR IGNORE INTO told VALUES (?, ?, ?, ?, ?)');
  const oldRuns = database.prepare('DELETE FROM runs WHERE store = ? AND path = ?');
  const run = database.prepare('INSERT OR IGNORE INTO runs VALUES (?, ?, ?)');
  const tie = database.prepare('INSERT OR IGNORE INTO ties VALUES (?, ?, ?, ?, ?)');
  const claim = database.prepare('INSERT OR IGNORE INTO claims VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
  const named = database.prepare('INSERT OR IGNORE INTO named VALUES (?, ?, ?, ?)');
  return {
    file(saved: FileProgress): void {
      const { path, bookmark, alsoClaimedBy } = saved;
      file.run(storeId, ...rowOf(saved));
      for (const { key } of bookmark?.standing.copiedAnswers ?? []) answer.run(storeId, path, key);
      const placed = bookmark?.standing.placedParent ?? null;
      if (bookmark !== null && placed !== null)
        named.run(storeId, bookmark.header.id, placed.sessionId, placed.key);
      for (const { firstAnswer, parent } of alsoClaimedBy)
        told.run(storeId, path, firstAnswer ?? '', parent.sessionId, parent.key);
      this.runs(path, bookmark?.standing.runs ?? null);
      for (const { sessionId, entryId, time } of saved.ties)
        tie.run(storeId, path, sessionId, entryId, time);
    },
    runs(path: string, runs: SavedRuns | null): void {
      if (runs === null) return;
      oldRuns.run(storeId, path);
      for (const key of sumKeys(runs)) run.run(storeId, path, key);
    },
    claim({ key, claimId, holder, sessionId, turnEntryId, turnAt, time }: FileClaim): void {
      claim.run(storeId, key, claimId, holder, sessionId, turnEntryId, turnAt, time);
    },
  };
}

function rowOf({
  path,
  stamp,
  bookmark,
  isFailed,
  claimedBy,
  issues,
  againAtMs,
}: FileProgress): [string, string, ...(string | number | null)[]] {
  return [
    path,
    stamp,
    bookmark === null ? null : JSON.stringify(bookmark),
    bookmark?.header.id ?? null,
    bookmark === null ? null : new Date(bookmark.header.timeMs).toISOString(),
    bookmark?.standing.firstAnswer ?? null,
    bookmark?.standing.placedParent?.sessionId ?? null,
    bookmark?.standing.placedParent?.key ?? null,
    bookmark?.standing.awaitedParent?.file ?? null,
    bookmark?.standing.awaitedParent?.key ?? null,
    claimedBy?.sessionId ?? null,
    claimedBy?.key ?? null,
    ownRefOf(path),
    bookmark?.standing.runs === undefined ? null : namedParentOf(bookmark),
    isFailed ? 1 : 0,
    issues.count === 0 ? null : JSON.stringify(issues),
    againAtMs,
  ];
}

/** What its parent may call it, besides by its id. */
function ownRefOf(path: string): string | null {
  const ref = fileRef(path);
  return ref?.startsWith('file:') === true ? ref : null;
}

function namedParentOf({ header }: Bookmark): string | null {
  return sessionIdOfParent(header.parentSession);
}

interface TieRow {
  readonly session: string;
  readonly entry: string;
  readonly time: string;
}

function readTies(rows: readonly TieRow[]): readonly ResultTie[] {
  return rows.map(({ session: sessionId, entry: entryId, time }) => ({ sessionId, entryId, time }));
}

export function issuesOf(text: string | null): IssueList {
  return text === null ? noIssues : (JSON.parse(text) as IssueList);
}

interface ToldRow {
  readonly first_answer: string;
  readonly session: string;
  readonly key: string;
}

function readFile(row: FileRow, told: readonly ToldRow[]): Omit<FileProgress, 'ties'> {
  const { path, stamp, bookmark, claimed_by_session: sessionId, claimed_by_key: key } = row;
  const claimedBy = sessionId === null || key === null ? null : { sessionId, key };
  return {
    path,
    stamp,
    bookmark: bookmark === null ? null : (JSON.parse(bookmark) as Bookmark),
    isFailed: row.is_failed === 1,
    claimedBy,
    alsoClaimedBy: told.map(({ first_answer: answer, session, key: told }) => ({
      firstAnswer: answer === '' ? null : answer,
      parent: { sessionId: session, key: told },
    })),
    issues: issuesOf(row.issues),
    againAtMs: row.again_at_ms,
  };
}
