/**
 * Finds subagents of private stretches among the files to read: they are private as a whole, by
 * their place (below a folder named like their parent's file), because a result of their parent's
 * tools names them, or because it says what they used and their header names the parent.
 *
 * Looks only at files of which a private parent is known. Pure but for the files that it reads.
 */
import { fileRef, sessionRef } from '@pi-ledger/extension/record/link';
import { sessionIdOfFile, sessionIdOfParent } from '@pi-ledger/extension/record/session';
import type { FileHeaders } from '../session/file-header.ts';
import { addUpToOne, beginsPaused, ownAnswersIn } from './child-file.ts';
import { holds, type PrivateStretches, privateStretchesIn } from './private-stretches.ts';

/** By the file's path. */
export type PrivateParents = Map<string, PrivateStretches>;

export interface SearchedFiles {
  readonly due: readonly string[];
  /** All files that were found. */
  readonly found: ReadonlySet<string>;
  readonly headers: FileHeaders;
}

/** Adds what it finds to the parents: a private subagent's own subagents are private too. */
export function findPrivateChildren(
  parents: PrivateParents,
  { due, found, headers }: SearchedFiles,
): ReadonlySet<string> {
  const children = new Set<string>();
  for (let left = due; parents.size > 0; ) {
    const isChild = createTest(parents, found, headers);
    const more = left.filter((path) => isChild(path) && !beginsPaused(path));
    if (more.length === 0) break;
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
  const all = [...parents.values()];
  const bySession = new Map(all.map((parent) => [parent.sessionId, parent]));
  const refs = new Set(all.flatMap((parent) => parent.refs));
  const counting = all.filter(({ answers, usages }) => answers.length + usages.length > 0);

  function isPlaced(path: string): boolean {
    const parent = nearestAbove(path);
    return parent !== undefined && isIn(parent, path);
  }

  /** Undefined if the nearest session above has nothing private. */
  function nearestAbove(path: string): PrivateStretches | undefined {
    let folder = folderOf(path);
    for (let level = 0; folder !== '' && level < levelsMax; level += 1) {
      const file = `${folder}.jsonl`;
      if (parents.has(file) || found.has(file)) return parents.get(file);
      const sessionId = sessionIdOfFile(file);
      if (sessionId !== null) return bySession.get(sessionId);
      folder = folderOf(folder);
    }
    return undefined;
  }

  function isIn(parent: PrivateStretches, path: string): boolean {
    if (parent.isWhole) return true;
    const header = headers.of(path);
    return header !== null && holds(parent, header.timeMs);
  }

  function isNamed(path: string): boolean {
    if (refs.size === 0) return false;
    if (refs.has(fileRef(path) ?? '')) return true;
    const header = sessionIdOfFile(path) === null ? headers.of(path) : null;
    return header !== null && refs.has(sessionRef(header.id));
  }

  function isCounted(path: string): boolean {
    const header = counting.length === 0 ? null : headers.of(path);
    if (header === null) return false;
    const parentId = sessionIdOfParent(header.parentSession);
    const likely = counting.filter((parent) => holds(parent, header.timeMs));
    if (likely.length === 0) return false;
    const { firstKey, tokens } = ownAnswersIn(path);
    return likely.some(
      ({ sessionId, answers, usages }) =>
        sessionId !== header.id &&
        (answers.includes(firstKey ?? '') ||
          (sessionId === parentId && addUpToOne(tokens, usages))),
    );
  }

  return (path: string) => isPlaced(path) || isNamed(path) || isCounted(path);
}

const levelsMax = 16;

function folderOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'), 0));
}
