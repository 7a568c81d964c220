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
import type { FileHeaders } from '../file-header.ts';
import { beginsPaused, spentIn } from './child-file.ts';
import type { HeadedEntry } from './entries-in-file.ts';
import { createForkSearch, type SearchedFiles } from './forks-of-gone.ts';
import { createPrivateFamily, type PrivateParents } from './private-family.ts';
import { isOlder, privateStretchesIn } from './private-stretches.ts';

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
    if (more.length === 0 && !findForks(parents)) break;
    for (const path of more) {
      children.add(path);
      const whole = privateStretchesIn(path, true);
      if (whole !== null) parents.set(path, whole);
    }
    left = left.filter((path) => !children.has(path));
  }
  return children;
}

function createTest(parents: PrivateParents, found: ReadonlySet<string>, headers: FileHeaders) {
  const family = createPrivateFamily(parents, found);
  const { isSame, isPlaced, isCalled, isCounted } = family;

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
    const { parentSession } = header;
    const parentId = sessionIdOfParent(parentSession);
    const isOwn = ({ entry }: HeadedEntry) => !isOlder(entry, header);
    return (
      isSame(header.id) ||
      isCounted(
        header,
        // Users name files as they like (`--session talk.jsonl`).
        (parent, file) =>
          parent.sessionId === parentId || basename(parentSession ?? '') === basename(file),
        () => spentIn(path, isOwn),
      )
    );
  }

  return (path: string) => isPlaced(path, () => beganAtMs(path)) || isNamed(path) || isTold(path);
}
