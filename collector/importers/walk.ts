/**
 * The session files below a directory, and what each looks like from outside.
 *
 * Links are followed, a directory or file that is reached in two ways is visited once. What cannot be read is an issue and stops nothing. It looks at names and
 * stats alone, and lets the event loop breathe.
 */
import { type BigIntStats, type Dirent, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import type { Importer } from './importer.ts';
import type { Issues } from './issues.ts';
import { stampOf } from './stamp.ts';

export interface FoundFile {
  readonly path: string;
  readonly importer: Importer;
  readonly stamp: string;
  readonly bytes: number;
  readonly changedMs: number;
}

export interface Root {
  readonly importer: Importer;
  readonly directory: string;
  /** False for a usual place, which need not be there. */
  readonly isNamed: boolean;
}

const depthMax = 16;
const filesMax = 1_000_000;
const breatheEveryMs = 10;

/** Sorted by path below each root. `seen` remembers what was visited, by device and inode. */
export async function findFiles(roots: readonly Root[], issues: Issues): Promise<readonly FoundFile[]> {
  const found: FoundFile[] = [];
  const seen = new Set<string>();
  let breathedMs = performance.now();

  async function visit(root: Root, directory: string, depth: number): Promise<void> {
    const stats = look(directory, root, depth);
    if (stats === null || !isNew(stats)) return;
    for (const entry of namesIn(directory)) await consider(root, join(directory, entry.name), entry, depth);
  }

  async function consider(root: Root, path: string, entry: Dirent, depth: number): Promise<void> {
    if (entry.isFile() || entry.isSymbolicLink()) takeFile(root, path, entry);
    if (depth < depthMax && (entry.isDirectory() || (entry.isSymbolicLink() && isDirectory(path)))) await visit(root, path, depth + 1);
    if (performance.now() - breathedMs < breatheEveryMs) return;
    await breathe();
    breathedMs = performance.now();
  }

  function takeFile({ importer }: Root, path: string, entry: Dirent): void {
    if (!importer.isSessionFile(entry.name) || found.length >= filesMax) return;
    const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
    if (stats === undefined || !stats.isFile() || !isNew(stats)) return;
    found.push({ path, importer, stamp: stampOf(stats), bytes: Number(stats.size), changedMs: Number(stats.mtimeMs) });
  }

  function isNew({ dev, ino }: BigIntStats): boolean {
    const id = `${dev}:${ino}`;
    if (seen.has(id)) return false;
    seen.add(id);
    return true;
  }

  /** Null for what is no directory that can be listed. */
  function look(directory: string, root: Root, depth: number): BigIntStats | null {
    try {
      const stats = statSync(directory, { bigint: true });
      if (stats.isDirectory()) return stats;
      unreadable(directory, 'it is no directory');
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'ENOENT' || (root.isNamed && depth === 0)) unreadable(directory, String(code));
    }
    return null;
  }

  function namesIn(directory: string): readonly Dirent[] {
    try {
      return readdirSync(directory, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
    } catch (error) {
      unreadable(directory, String((error as NodeJS.ErrnoException).code));
      return [];
    }
  }

  function unreadable(directory: string, reason: string): void {
    issues.add({ code: 'directory_unreadable', file: directory, line: null, message: `the directory cannot be read (${reason})` });
  }

  for (const root of roots) await visit(root, root.directory, 0);
  return found;
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
