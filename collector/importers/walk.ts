/**
 * The session files below a directory, and what each looks like from outside.
 *
 * Links are followed, and what is reached in two ways is visited once, where it really stands: an
 * omp subagent is known by its place. What cannot be read is an issue and stops nothing. It looks
 * at names and stats alone, and lets the event loop breathe.
 */
import { type BigIntStats, type Dirent, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import type { Importer } from './importer.ts';
import type { IssueCode, Issues } from './issues.ts';
import { fileStampOf } from './progress/file-stamp.ts';

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

interface Candidate {
  readonly root: Root;
  readonly path: string;
  /** Of directories below the root. */
  readonly depth: number;
}

const depthMax = 16;
const filesMax = 1_000_000;
const breatheEveryMs = 10;

/** Sorted by path below each root; behind them what only links lead to. */
export async function findFiles(
  roots: readonly Root[],
  issues: Issues,
): Promise<readonly FoundFile[]> {
  const found: FoundFile[] = [];
  const links: Candidate[] = [];
  /** By device and inode. */
  const seen = new Set<string>();
  let breathedMs = performance.now();

  async function visit(place: Candidate, stats: BigIntStats | null): Promise<void> {
    if (stats === null || !isNew(stats)) return;
    if (place.depth > depthMax) {
      complain(
        'directory_unreadable',
        place.path,
        `the directory is left out: only ${depthMax} below ${place.root.directory} are looked into`,
      );
      return;
    }
    for (const entry of namesIn(place.path)) {
      await consider(
        { ...place, path: join(place.path, entry.name), depth: place.depth + 1 },
        entry,
      );
    }
  }

  async function consider(place: Candidate, entry: Dirent): Promise<void> {
    if (entry.isSymbolicLink()) links.push(place);
    else if (entry.isDirectory()) await visit(place, look(place.path));
    else if (entry.isFile() && isSession(place)) take(place, look(place.path));
    if (performance.now() - breathedMs < breatheEveryMs) return;
    await breathe();
    breathedMs = performance.now();
  }

  async function follow(place: Candidate): Promise<void> {
    const stats = look(place.path);
    if (stats?.isDirectory()) await visit(place, stats);
    else if (isSession(place)) take(place, stats);
  }

  function take({ root, path }: Candidate, stats: BigIntStats | null): void {
    if (stats === null || !stats.isFile() || !isNew(stats)) return;
    if (found.length >= filesMax) {
      complain('file_unreadable', path, `the file is left out: at most ${filesMax} are read`);
      return;
    }
    found.push({
      path,
      importer: root.importer,
      stamp: fileStampOf(stats),
      bytes: Number(stats.size),
      changedMs: Number(stats.mtimeMs),
    });
  }

  function isNew({ dev, ino }: BigIntStats): boolean {
    const id = `${dev}:${ino}`;
    if (seen.has(id)) return false;
    seen.add(id);
    return true;
  }

  /** Null for what is gone, leads nowhere or cannot be looked at. */
  function look(path: string): BigIntStats | null {
    try {
      return statSync(path, { bigint: true });
    } catch (error) {
      const code = codeOf(error);
      if (code !== 'ENOENT')
        complain('file_unreadable', path, `it cannot be looked at (${code})`, code !== 'ELOOP');
      return null;
    }
  }

  function namesIn(directory: string): readonly Dirent[] {
    try {
      return readdirSync(directory, { withFileTypes: true }).sort((a, b) =>
        a.name < b.name ? -1 : 1,
      );
    } catch (error) {
      complain(
        'directory_unreadable',
        directory,
        `the directory cannot be read (${codeOf(error)})`,
      );
      return [];
    }
  }

  function complain(code: IssueCode, file: string, message: string, mayHoldSpend = true): void {
    issues.add({ code, file, line: null, message, mayHoldSpend });
  }

  async function begin(root: Root): Promise<void> {
    const stats = look(root.directory);
    if (stats !== null && !stats.isDirectory())
      complain(
        'directory_unreadable',
        root.directory,
        'expected a directory, found something else',
      );
    else if (stats !== null) await visit({ root, path: root.directory, depth: 0 }, stats);
    else if (root.isNamed)
      complain(
        'directory_unreadable',
        root.directory,
        'expected a directory, found none that can be read',
      );
  }

  for (const root of roots) await begin(root);
  // Directories that links lead to can hold further links.
  for (const link of links) await follow(link);
  return found;
}

function isSession({ root, path }: Candidate): boolean {
  return root.importer.isSessionFile(basename(path));
}

function codeOf(error: unknown): string {
  return String((error as NodeJS.ErrnoException).code);
}
