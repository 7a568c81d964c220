/** What is kept of each session file, and its row in `imports.db`. Pure. */
import type { SubagentParent } from '@pi-ledger/core/record/entry-draft';
import { fileRef, normalizeName } from '@pi-ledger/core/record/link';
import { sessionIdOfParent } from '@pi-ledger/core/record/session';
import { type IssueList, noIssues } from '../issues.ts';
import type { AnswerClaim, ProvenTie } from '../proofs.ts';
import type { Bookmark } from '../threads/read-job.ts';

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
  readonly ties: readonly ProvenTie[];
  /** Problems found in it. */
  readonly issues: IssueList;
  /** When to read it again even if unchanged; null for never. */
  readonly againAtMs: number | null;
}

export interface FileRow {
  readonly path: string;
  readonly stamp: string;
  readonly bookmark: string | null;
  readonly claimed_by_session: string | null;
  readonly claimed_by_key: string | null;
  readonly is_failed: number;
  readonly issues: string | null;
  readonly again_at_ms: number | null;
}

export function toRow({
  path,
  stamp,
  bookmark,
  isFailed,
  claimedBy,
  issues,
  againAtMs,
}: FileProgress): [string, string, ...(string | number | null)[]] {
  const ownRef = readOwnRef(path);
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
    ownRef,
    ownRef === null ? null : normalizeName(ownRef),
    bookmark?.standing.runs === undefined ? null : readNamedParent(bookmark),
    isFailed ? 1 : 0,
    issues.count === 0 ? null : JSON.stringify(issues),
    againAtMs,
  ];
}

/** What its parent may call it, besides by its id. */
function readOwnRef(path: string): string | null {
  const ref = fileRef(path);
  return ref?.startsWith('file:') === true ? ref : null;
}

function readNamedParent({ header }: Bookmark): string | null {
  return sessionIdOfParent(header.parentSession);
}

export interface TieRow {
  readonly session: string;
  readonly entry: string;
  readonly time: string;
}

export function readTies(rows: readonly TieRow[]): readonly ProvenTie[] {
  return rows.map(({ session: sessionId, entry: entryId, time }) => ({ sessionId, entryId, time }));
}

export function parseIssues(text: string | null): IssueList {
  return text === null ? noIssues : (JSON.parse(text) as IssueList);
}

export interface ToldRow {
  readonly first_answer: string;
  readonly session: string;
  readonly key: string;
}

export function readFile(row: FileRow, told: readonly ToldRow[]): Omit<FileProgress, 'ties'> {
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
    issues: parseIssues(row.issues),
    againAtMs: row.again_at_ms,
  };
}
