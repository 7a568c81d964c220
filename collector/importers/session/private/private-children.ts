/**
 * Finds subagents of private stretches among the files to read: they are private as a whole, by
 * their place (below a folder named like their parent's file), because a result of their parent's
 * tools names them, or because it says what they used and their header names the parent.
 *
 * Looks only at files of which a private parent is known. Pure but for the files that it reads.
 */
import { basename } from 'node:path';
import { fileRef, sessionRef } from '@pi-ledger/core/record/link';
import { sessionIdOfFile, sessionIdOfParent } from '@pi-ledger/core/record/session';
import { findAsked } from './asked-child.ts';
import { beginsPaused, spentIn } from './child-file.ts';
import type { HeadedEntry } from './entries-in-file.ts';
import { createForkSearch, type SearchedFiles } from './forks-of-gone.ts';
import { createPrivateFamily } from './private-family.ts';
import {
  isOlder,
  type PrivateParents,
  type PrivateStretches,
  privateStretchesIn,
  wholeStretch,
} from './private-stretches.ts';
import type { KnownHeader, KnownHeaders } from './taken-back.ts';

/** Adds what it finds to the parents: a private subagent's own subagents are private too. */
export function findPrivateChildren(
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
    if (more.length === 0 && !findForks(parents) && !findAsked(parents, left, files)) break;
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
      isSame(header.id, header.timeMs) ||
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
