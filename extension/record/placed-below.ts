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
  const folders = foldersUpToSession(path);
  for (const folder of folders) {
    const parentFile = `${folder}.jsonl`;
    const parentSessionId = headerOf(parentFile)?.id ?? sessionIdOfFile(parentFile);
    if (parentSessionId !== null && parentSessionId !== header.id)
      return { parentSessionId, parentFile, key: sessionRef(header.id) };
  }
  return null;
}

/** From the file's own folder up to one that is named `<time>_<id>`; empty without such a one. */
function foldersUpToSession(path: string): readonly string[] {
  const folders: string[] = [];
  for (let folder = folderOf(path); folder !== '' && folders.length < levelsMax; ) {
    folders.push(folder);
    if (sessionIdOfFile(`${folder}.jsonl`) !== null) return folders;
    folder = folderOf(folder);
  }
  return [];
}

/** Accepts the separators of both platforms. */
function folderOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'), 0));
}
