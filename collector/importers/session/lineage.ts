/**
 * Who owns an entry that a fork, a clone or a branch copied: the first session, going up by
 * `parentSession`, that is not younger than the entry.
 *
 * The answer comes from files and their names alone, never from the order in which they are read.
 * Where an ancestor's file is gone, its name still tells id and time; beyond that the oldest
 * ancestor known is taken, and said to be assumed. What files that are not here any more, or not
 * yet, would say better is settled where both are known (collector/ingest/ownership.ts).
 */
import { dirname, join } from 'node:path';
import type { Header } from '@pi-ledger/extension/record/entry';
import { sessionIdOfParent } from '@pi-ledger/extension/record/session';
import { type FileHeaders, headerById, headerByName } from './file-header.ts';

export interface Owner {
  readonly sessionId: string;
  /** Its own, where its header can be read; else the copy's. */
  readonly cwd: string | null;
  readonly isAssumed: boolean;
  /** Its header was read, and it is old enough. */
  readonly isFileThere: boolean;
  /**
   * It is younger than the entry: one of its own ancestors, whom nobody names any more, made it.
   */
  readonly isTooYoung: boolean;
}

export interface Lineage {
  /**
   * For an entry of this time that the file at `path`, with this header, holds as a copy. Contract:
   * never throws.
   */
  ownerOf(header: Header, path: string, timeMs: number): Owner;
  /** The header of the file at `path`; null when it cannot be read. */
  headerOf(path: string): Header | null;
}

export interface LineageOptions {
  readonly headers: FileHeaders;
  /** Where the file of a session was found, by the id in its name. */
  fileOf(sessionId: string): string | undefined;
}

/** No fork of a fork goes that deep; a damaged header could name itself. */
const ancestorsMax = 100;

export function createLineage({ headers, fileOf }: LineageOptions): Lineage {
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
   * A copied directory holds its own: what stands beside comes first, then what was found
   * elsewhere, then what the header names.
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

function owner({ header, isFileThere }: Ancestor, copy: Header, isAssumed: boolean): Owner {
  return {
    sessionId: header.id,
    cwd: isFileThere ? header.cwd : copy.cwd,
    isAssumed,
    isFileThere: isFileThere && !isAssumed,
    isTooYoung: isAssumed,
  };
}
