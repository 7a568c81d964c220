/**
 * Finds forks of private subagents whose own files are gone: what such a fork has copied tells what
 * the subagent was, and the fork's header what its file was called.
 */
import { fileRef, sessionRef } from '@pi-ledger/core/record/link';
import { sessionIdOfFile, sessionIdOfParent } from '@pi-ledger/core/record/session';
import { headerById, headerByName } from '../file-header.ts';
import { beginsPaused, spentIn } from './child-file.ts';
import type { HeadedEntry } from './entries-in-file.ts';
import { createPrivateFamily } from './private-family.ts';
import {
  copiedStretchesIn,
  isOlder,
  joinStretches,
  type PrivateParents,
} from './private-stretches.ts';
import type { KnownHeader, KnownHeaders } from './taken-back.ts';

export interface SearchedFiles {
  /** New or changed. */
  readonly changed: readonly string[];
  /** All files that were found. */
  readonly found: ReadonlySet<string>;
  readonly headers: KnownHeaders;
}

interface GoneSession {
  /** The path or the id that the fork's header names. */
  readonly name: string;
  readonly id: string | null;
  readonly beganAtMs: number;
  /** Else it is the time of its first entry that is left. */
  readonly isTimeTold: boolean;
  isCopy(headed: HeadedEntry): boolean;
}

/** Adds them to the parents, and returns whether it has found any more. */
export type FindForksOfGone = (parents: PrivateParents) => boolean;

export function createForkSearch({ changed, found, headers }: SearchedFiles): FindForksOfGone {
  const isThere = createSearch(found);
  const done = new Set<string>();

  function findIn(path: string, isPrivate: (gone: GoneSession) => boolean) {
    const header = done.has(path) ? null : headers.of(path);
    const name = header?.parentSession ?? null;
    if (header === null || name === null || isThere(name)) return null;
    const gone = goneSession(path, header, name);
    if (gone === null || !isPrivate(gone) || beginsPaused(path)) return null;
    return copiedStretchesIn(path, gone.id, gone.isCopy);
  }

  return (parents) => {
    const isPrivate = createTest(parents, found);
    const before = done.size;
    for (const path of changed) {
      const copied = findIn(path, (gone) => isPrivate(gone, path));
      if (copied === null) continue;
      done.add(path);
      parents.set(path, joinStretches(parents.get(path), copied));
    }
    return done.size > before;
  };
}

function createTest(parents: PrivateParents, found: ReadonlySet<string>) {
  const { isSame, isPlaced, isCalled, isCounted } = createPrivateFamily(parents, found);
  const isNamed = (ref: string | null, { beganAtMs, isTimeTold }: GoneSession) =>
    isCalled(ref, () => beganAtMs) || (!isTimeTold && isCalled(ref, () => null));
  return isPrivate;

  function isPrivate(gone: GoneSession, path: string): boolean {
    const { name, id, beganAtMs, isCopy } = gone;
    return (
      isSame(id, null) ||
      isNamed(fileRef(name), gone) ||
      isNamed(id === null ? null : sessionRef(id), gone) ||
      isPlaced(name, () => beganAtMs) ||
      isCounted(
        { id: id ?? '', timeMs: beganAtMs },
        () => true,
        () => spentIn(path, isCopy),
      )
    );
  }
}

/**
 * Returns null for a fork without copies. Where nothing tells when it began, its first entry does.
 */
function goneSession(path: string, fork: KnownHeader, name: string): GoneSession | null {
  const id = sessionIdOfParent(name);
  const told = (headerByName(name) ?? headerById(id))?.timeMs ?? null;
  const isCopy = ({ entry }: HeadedEntry) =>
    isOlder(entry, fork) && !(told !== null && isOlder(entry, { timeMs: told }));
  const first = copiedStretchesIn(path, id, isCopy)?.stretches[0]?.fromMs;
  return first === undefined
    ? null
    : { name, id, beganAtMs: told ?? first, isTimeTold: told !== null, isCopy };
}

function createSearch(found: ReadonlySet<string>): (name: string) => boolean {
  let known: ReadonlySet<string> | null = null;
  return (name) => {
    known ??= new Set([...found].map((path) => fileRef(path) ?? ''));
    const id = sessionIdOfFile(name) ?? sessionIdOfParent(name);
    return known.has(id === null ? (fileRef(name) ?? '') : sessionRef(id));
  };
}
