/**
 * The look ahead of an import: which of the files to read are subagents of private stretches. Their
 * files are often read before their parent's, or while that is still being written.
 */
import { basename } from 'node:path';
import { fileRef, sessionRef } from '@pi-ledger/core/record/link';
import { sessionIdOfFile, sessionIdOfParent } from '@pi-ledger/core/record/session';
import type { ImportSource } from '../../importer.ts';
import { type Issues, noIssues } from '../../issues.ts';
import type { FileProgress } from '../../progress/file-rows.ts';
import type { ProgressStore } from '../../progress/progress.ts';
import type { ReadFilesOptions } from '../../read-files.ts';
import { sumBytes } from '../../sources.ts';
import type { EventBatch, FileOf } from '../../threads/batches.ts';
import { beginsPaused, spentIn } from './child-file.ts';
import type { HeadedEntry } from './entries-in-file.ts';
import { createForkSearch, type SearchedFiles } from './forks-of-gone.ts';
import { filesWithMarks } from './marked-files.ts';
import { createPrivateCopies, type PrivateCopies } from './private-copies.ts';
import { createPrivateFamily, type PrivateParents } from './private-family.ts';
import {
  isOlder,
  type PrivateStretches,
  privateStretchesIn,
  wholeStretch,
} from './private-stretches.ts';
import {
  headersAlsoOf,
  type KnownHeader,
  type KnownHeaders,
  type RecordedFiles,
  takeBack,
  tellsMore,
  type WithdrawSession,
} from './taken-back.ts';

interface LookAhead {
  readonly progress: ProgressStore;
  readonly found: readonly ImportSource[];
  /** New or changed, also those that are still being written. */
  readonly changed: readonly ImportSource[];
  readonly due: readonly ImportSource[];
  take(batch: EventBatch, fileOf: FileOf): Promise<void>;
  readonly note: ReadFilesOptions['note'];
  readonly issues: Issues;
  readonly withdrawSession: WithdrawSession;
  /** It comes often: files that were read before are looked at only if parents say more. */
  readonly isBackground: boolean;
  readonly signal: AbortSignal | undefined;
}

interface OpenFiles {
  /** Without those of which nothing may be recorded. */
  readonly files: readonly ImportSource[];
  readonly copies: PrivateCopies;
}

/**
 * Notes private files as read, and returns the others of those that are due. Takes back what was
 * recorded of private files before.
 */
export async function passOverPrivate(ahead: LookAhead): Promise<OpenFiles> {
  const { due, progress, take, note, isBackground } = ahead;
  if (due.length === 0 && isBackground)
    return { files: due, copies: createPrivateCopies(progress.privateParents()) };
  const { children, copies, recorded } = await lookAhead(ahead);
  const gone = await takeBack(
    [...children].filter((path) => recorded.has(path)),
    recorded,
    ahead.withdrawSession,
    ahead.issues,
  );
  const hidden = due.filter(({ path }) => children.has(path));
  const files = hidden.map(({ path, stamp }) => ({ ...nothingRead, path, stamp }));
  for (const file of files) note(file);
  if (hidden.length > 0) await take({ texts: [], bytes: sumBytes(hidden) }, () => '');
  progress.save([...forgotten(gone, progress), ...files].map(unlessLeft), []);
  return { files: due.filter(({ path }) => !children.has(path)), copies };

  /** A file whose session could not be taken back is tried again. */
  function unlessLeft(file: FileProgress): FileProgress {
    const isLeft = recorded.has(file.path) && !gone.has(file.path);
    const before = isLeft ? progress.of(file.path) : null;
    return before === null ? file : { ...before, stamp: file.stamp };
  }
}

function forgotten(paths: ReadonlySet<string>, progress: ProgressStore): readonly FileProgress[] {
  return [...paths].flatMap((path) => {
    const file = progress.of(path);
    return file === null ? [] : [{ ...nothingRead, path, stamp: file.stamp }];
  });
}

const nothingRead = {
  bookmark: null,
  isFailed: false,
  claimedBy: null,
  alsoClaimedBy: [],
  ties: [],
  issues: noIssues,
  againAtMs: null,
};

interface Private {
  /** Paths of files of which nothing may be recorded. */
  readonly children: ReadonlySet<string>;
  readonly copies: PrivateCopies;
  /** Those of all files that may be private after all. */
  readonly recorded: RecordedFiles;
}

async function lookAhead(ahead: LookAhead): Promise<Private> {
  const { progress, found, changed, due, signal, isBackground } = ahead;
  const before = progress.privateParents();
  const parents: PrivateParents = new Map(before);
  const changedPaths = listPaths(changed);
  const marked = await filesWithMarks(changedPaths, signal);
  for (const path of changedPaths) if (parents.get(path)?.isWhole === false) parents.delete(path);
  for (const path of marked) {
    const stretches = privateStretchesIn(path, false);
    if (stretches !== null && !parents.has(path)) parents.set(path, stretches);
  }
  const isTold = parents.size > 0 && (!isBackground || tellsMore(before, parents));
  const recorded: RecordedFiles = isTold ? progress.recorded() : new Map();
  const others = found.filter(({ importer }) => !importer.marksPrivacy);
  const paths = new Set([...listPaths(due), ...recorded.keys()]);
  for (const { path } of others) paths.delete(path);
  const children = findPrivateChildren(parents, [...paths], {
    changed: changedPaths,
    found: new Set(parents.size === 0 ? [] : listPaths(found)),
    headers: headersAlsoOf(recorded),
  });
  progress.savePrivateParents(before, parents);
  return { children, copies: createPrivateCopies(parents), recorded };
}

/** Other agents' sources have no marks. */
function listPaths(files: readonly ImportSource[]): readonly string[] {
  return files.filter(({ importer }) => importer.marksPrivacy).map(({ path }) => path);
}

// Finds subagents of private stretches among the files to read: they are private as a whole, by
// their place (below a folder named like their parent's file), because a result of their parent's
// tools names them, or because it says what they used and their header names the parent.
// Looks only at files of which a private parent is known. Pure but for the files that it reads.

/** Adds what it finds to the parents: a private subagent's own subagents are private too. */
function findPrivateChildren(
  parents: PrivateParents,
  due: readonly string[],
  files: SearchedFiles,
): ReadonlySet<string> {
  const { found, headers } = files;
  const findForks = createForkSearch(files);
  const children = new Set<string>();
  for (let left = due; parents.size > 0; ) {
    const isPrivate = createTest(parents, found, headers);
    const more = left.filter((path) => isPrivate(path) && !beginsPaused(path));
    if (more.length === 0 && !findForks(parents)) break;
    for (const path of more) {
      children.add(path);
      const header = headers.of(path);
      const gone = header === null ? null : wholeStretch(header);
      const whole = privateStretchesIn(path, true) ?? gone;
      if (whole !== null) parents.set(path, whole);
    }
    left = left.filter((path) => !children.has(path));
  }
  return children;
}

function createTest(parents: PrivateParents, found: ReadonlySet<string>, headers: KnownHeaders) {
  const family = createPrivateFamily(parents, found);
  const { isSame, isPlaced, isCalled, isCounted, isMoved } = family;

  function beganAtMs(path: string): number | null {
    return headers.of(path)?.timeMs ?? null;
  }

  /** By the name of its file, or else by its header. */
  function isNamed(path: string): boolean {
    if (isCalled(fileRef(path), () => beganAtMs(path))) return true;
    const header = sessionIdOfFile(path) === null ? headers.of(path) : null;
    return header !== null && isCalled(sessionRef(header.id), () => header.timeMs);
  }

  function isTold(path: string): boolean {
    const header = family.asksHeaders ? headers.of(path) : null;
    if (header === null) return false;
    const isOwn = ({ entry }: HeadedEntry) => !isOlder(entry, header);
    const spent = () => spentIn(path, isOwn);
    const isOf = (parent: PrivateStretches, file: string) => isNamedBy(header, parent, file);
    return (
      isSame(header.id) ||
      isCounted(header, isOf, spent) ||
      isMoved(path, header, (...parent) => header.parentSession === null || isOf(...parent), spent)
    );
  }

  return (path: string) => isPlaced(path, () => beganAtMs(path)) || isNamed(path) || isTold(path);
}

/**
 * Whether the header names that session, whose file is at this path; or the session from which it
 * has copied the stretch.
 */
function isNamedBy(header: KnownHeader, parent: PrivateStretches, file: string): boolean {
  const { parentSession, timeMs } = header;
  const id = sessionIdOfParent(parentSession);
  // Users name files as they like (`--session talk.jsonl`).
  const name = basename(parentSession ?? '');
  if (parent.sessionId === id || name === basename(file)) return true;
  if (parent.parentSession === null || timeMs >= parent.beganAtMs) return false;
  const forked = sessionIdOfParent(parent.parentSession);
  return id === null ? name === basename(parent.parentSession) : id === forked;
}
