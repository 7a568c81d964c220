/**
 * Entries that forks and other copies have of private ones. They are private there too; what the
 * fork adds is its own. So are those of a session that was asked in a private stretch.
 */
import { parseTimeMs } from '@pi-ledger/core/record/entry';
import type { SavedPrivateParents } from '../../progress/private-parents.ts';
import { entriesInFile } from './entries-in-file.ts';
import { entryName, isOlder } from './private-stretches.ts';

/** Names of the private entries in the file at this path. */
export type PrivateCopies = (path: string) => readonly string[];

export function createPrivateCopies(parents: SavedPrivateParents): PrivateCopies {
  const names = new Set([...parents.values()].flatMap(({ entries }) => entries));
  const isMeant = (path: string) => parents.get(path)?.isAsked === true || isCopying(path);
  return (path) => (names.size > 0 && isMeant(path) ? namedIn(path, names) : []);
}

/** Its header names another session, or it begins with entries that are older than itself. */
function isCopying(path: string): boolean {
  for (const { header, entry } of entriesInFile(path))
    return (
      header.parentSession !== null ||
      (parseTimeMs(entry.timestamp) !== null && isOlder(entry, header))
    );
  return false;
}

function namedIn(path: string, names: ReadonlySet<string>): readonly string[] {
  const found = new Set<string>();
  for (const { entry } of entriesInFile(path)) {
    const name = entryName(entry);
    if (names.has(name)) found.add(name);
  }
  return [...found];
}
