/**
 * Finds the owner of an entry that a fork, a clone or a branch copied: the first session going up
 * by `parentSession` that is not younger than the entry.
 *
 * The answer depends only on files and their names, never on the order of reading. When an
 * ancestor's file is gone, its name still gives id and time; beyond that, the oldest known ancestor
 * is taken and marked as assumed. If missing files would give a better answer, ingest settles it
 * when both are known (collector/ingest/ownership.ts).
 */
import { dirname, join } from 'node:path';
import type { Header } from '@pi-ledger/core/record/entry';
import { sessionIdOfParent } from '@pi-ledger/core/record/session';
import { type FileHeaders, headerById, headerByName } from './file-header.ts';

export interface EntryOwner {
  readonly sessionId: string;
  /** The owner's own directory if its header can be read, else the copy's. */
  readonly cwd: string | null;
  readonly isAssumed: boolean;
  /** Whether its header was read and is old enough. */
  readonly isFileThere: boolean;
  /** Whether it is younger than the entry, which one of its unknown ancestors made. */
  readonly isTooYoung: boolean;
}

export interface FileLineage {
  /**
   * The owner of a copied entry of this time in the file at `path` with this header. Contract:
   * never throws.
   */
  ownerOf(header: Header, path: string, timeMs: number): EntryOwner;
  /** The header of the file at `path`; null when unreadable. */
  headerOf(path: string): Header | null;
}

export interface LineageOptions {
  readonly headers: FileHeaders;
  /** The path of a session's file, found by the id in its name. */
  fileOf(sessionId: string): string | undefined;
}

/** No real chain of forks is this deep; a damaged header could name itself. */
const ancestorsMax = 100;

export function createLineage({ headers, fileOf }: LineageOptions): FileLineage {
  return {
    headerOf: (path) => headers.of(path),
    ownerOf(header, path, timeMs) {
      let known: Ancestor = { path, header, isFileThere: true };
      for (let steps = 0; steps < ancestorsMax; steps += 1) {
        const parent = parentOf(known);
        if (parent === null) return owner(known, header, true);
        if ('header' in parent && parent.header.timeMs <= timeMs)
          return owner(parent, header, false);
        if ('onlyId' in parent)
          return {
            sessionId: parent.onlyId,
            cwd: header.cwd,
            isAssumed: true,
            isFileThere: false,
            isTooYoung: false,
          };
        known = parent;
      }
      return owner(known, header, true);
    },
  };

  function parentOf(child: Ancestor): Ancestor | { readonly onlyId: string } | null {
    const named = child.header.parentSession;
    if (named === null) return null;
    const id = sessionIdOfParent(named);
    for (const path of candidates(child.path, named, id)) {
      const found = headers.of(path);
      if (found !== null && found.id !== child.header.id && (id === null || found.id === id))
        return { path, header: found, isFileThere: true };
    }
    const byName = headerByName(named) ?? headerById(id);
    if (byName !== null) return { path: named, header: byName, isFileThere: false };
    return id === null ? null : { onlyId: id };
  }

  /**
   * Files beside the child come first, because a copied directory is complete in itself; then files
   * found elsewhere, then the path in the header.
   */
  function candidates(childPath: string, named: string, id: string | null): string[] {
    const isFile = named.endsWith('.jsonl');
    const baseName = named.slice(Math.max(named.lastIndexOf('/'), named.lastIndexOf('\\')) + 1);
    const found = id === null ? undefined : fileOf(id);
    return [
      ...(isFile ? [join(dirname(childPath), baseName)] : []),
      ...(found === undefined ? [] : [found]),
      ...(isFile ? [named] : []),
    ];
  }
}

interface Ancestor {
  readonly path: string;
  readonly header: Header;
  readonly isFileThere: boolean;
}

function owner({ header, isFileThere }: Ancestor, copy: Header, isAssumed: boolean): EntryOwner {
  return {
    sessionId: header.id,
    cwd: isFileThere ? header.cwd : copy.cwd,
    isAssumed,
    isFileThere: isFileThere && !isAssumed,
    isTooYoung: isAssumed,
  };
}
