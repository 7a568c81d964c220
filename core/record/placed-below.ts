/**
 * Subagents whose sessions a package keeps below their parent's: in any folder below one that is
 * named like the parent's file without `.jsonl`, at `<time>_<id>/<run>/run-0/session.jsonl`, say.
 */
import type { Header } from './entry.ts';
import { sessionRef } from './link.ts';
import { sessionIdOfFile } from './session.ts';
import type { ParentOfFile } from './subagent.ts';

/** Folders between a session and the nearest folder that is named like one. */
const levelsMax = 16;

/**
 * The nearest session above the file, or null. `headerOf` reads a file's header, or gives null; it
 * is asked only where a folder further up is named like a session.
 */
export function parentAbove(
  path: string,
  header: Header,
  headerOf: (file: string) => Header | null,
): ParentOfFile | null {
  for (const parentFile of filesAbove(path)) {
    const parentSessionId = headerOf(parentFile)?.id ?? sessionIdOfFile(parentFile);
    if (parentSessionId !== null && parentSessionId !== header.id)
      return { parentSessionId, parentFile, key: sessionRef(header.id) };
  }
  return null;
}

/**
 * Where the file of a session above this one may be, the nearest first, up to the first folder that
 * is named `<time>_<id>`; empty without such a one.
 */
export function filesAbove(path: string): readonly string[] {
  const files: string[] = [];
  for (let folder = childFolder(path); folder !== '' && files.length < levelsMax; ) {
    const file = `${folder}.jsonl`;
    files.push(file);
    if (sessionIdOfFile(file) !== null) return files;
    folder = childFolder(folder);
  }
  return [];
}

/** Accepts the separators of both platforms. */
function childFolder(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'), 0));
}
