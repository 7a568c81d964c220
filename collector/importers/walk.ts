/**
 * Finds the session files below a directory, with their stamps.
 *
 * Links are followed, and a file reachable in two ways is visited once, at its real path, because
 * the path identifies an omp subagent. What cannot be read is an issue and stops nothing. Reads
 * only names and stats, and yields to the event loop.
 */
import { type BigIntStats, type Dirent, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import type { ImportSource, Root, Walk } from './importer.ts';
import type { IssueCode, Issues } from './issues.ts';
import { stampFile } from './progress/file-stamp.ts';

interface Candidate {
  readonly root: Root;
  readonly path: string;
  /** Whether a file of this name is one. */
  isWanted(name: string): boolean;
  /** Number of directories below the root. */
  readonly depth: number;
}

const depthMax = 16;
const filesMax = 1_000_000;
const breatheEveryMs = 10;

/** All that importers find in one scan. */
export interface WholeWalk extends Walk {
  /** What only links lead to: call it once, when all importers have searched. */
  followLinks(): Promise<readonly ImportSource[]>;
}

/**
 * Files are sorted by path below each root. `wasRead`: whether the source of this path was imported
 * before.
 */
export function createWalk(issues: Issues, wasRead: (path: string) => boolean): WholeWalk {
  let found: ImportSource[] = [];
  let count = 0;
  const links: Candidate[] = [];
  /** By device and inode. */
  const seen = new Set<string>();
  let breathedMs = performance.now();

  async function visit(candidate: Candidate, stats: BigIntStats | null): Promise<void> {
    if (stats === null || !isNew(stats)) return;
    if (candidate.depth > depthMax) {
      complain(
        'directory_unreadable',
        candidate.path,
        `it is left out: more than ${depthMax} levels below ${candidate.root.directory}`,
      );
      return;
    }
    for (const entry of namesIn(candidate.path)) {
      await consider(
        { ...candidate, path: join(candidate.path, entry.name), depth: candidate.depth + 1 },
        entry,
      );
    }
  }

  async function consider(candidate: Candidate, entry: Dirent): Promise<void> {
    if (entry.isSymbolicLink()) {
      if (candidate.root.isClosed !== true) links.push(candidate);
    } else if (entry.isDirectory()) await visit(candidate, look(candidate.path));
    else if (entry.isFile() && isSession(candidate)) take(candidate, look(candidate.path));
    else if (entry.isFile()) complainOfCompressed(candidate.path);
    if (performance.now() - breathedMs < breatheEveryMs) return;
    await breathe();
    breathedMs = performance.now();
  }

  async function follow(candidate: Candidate): Promise<void> {
    const stats = look(candidate.path);
    if (stats?.isDirectory()) await visit(candidate, stats);
    else if (isSession(candidate)) take(candidate, stats);
  }

  /** What was imported before it was compressed is missed by nobody. */
  function complainOfCompressed(path: string): void {
    const [, original] = compressed.exec(path) ?? [];
    if (original === undefined) return;
    const message = 'compressed files are not read: unpack it to have it imported';
    complain('file_compressed', path, message, !wasRead(original));
  }

  function take({ root, path }: Candidate, stats: BigIntStats | null): void {
    if (stats === null || !stats.isFile() || !isNew(stats)) return;
    if (count >= filesMax) {
      complain(
        'file_unreadable',
        path,
        `the file is left out: an import reads at most ${filesMax}`,
      );
      return;
    }
    count += 1;
    found.push({
      path,
      importer: root.importer,
      stamp: stampFile(stats),
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

  /** Returns null for a missing file, a broken link or an unreadable status. */
  function look(path: string): BigIntStats | null {
    try {
      return statSync(path, { bigint: true });
    } catch (error) {
      const code = errorCode(error);
      if (code !== 'ENOENT')
        complain('file_unreadable', path, `its status cannot be read (${code})`, code !== 'ELOOP');
      return null;
    }
  }

  /**
   * Subagents' directory (`X/`) before their session's file (`X.jsonl`): a claim that meets what
   * subagents recorded themselves is in no counter (projections/totals.ts). A file before copies
   * named after it (`Kid.jsonl`, `Kid (1).jsonl`): the first to be read names the subagent.
   */
  function namesIn(directory: string): readonly Dirent[] {
    try {
      return readdirSync(directory, { withFileTypes: true }).sort(
        (a, b) => compare(stripEnding(a.name), stripEnding(b.name)) || compare(a.name, b.name),
      );
    } catch (error) {
      complain(
        'directory_unreadable',
        directory,
        `the directory cannot be read (${errorCode(error)})`,
      );
      return [];
    }
  }

  function complain(code: IssueCode, file: string, message: string, mayHoldSpend = true): void {
    issues.add({ code, file, line: null, message, mayHoldSpend });
  }

  async function begin(root: Root, isWanted: Candidate['isWanted']): Promise<void> {
    const stats = look(root.directory);
    if (stats !== null && !stats.isDirectory())
      complain(
        'directory_unreadable',
        root.directory,
        'expected a directory, found something else',
      );
    else if (stats !== null) await visit({ root, path: root.directory, isWanted, depth: 0 }, stats);
    else if (root.isNamed)
      complain(
        'directory_unreadable',
        root.directory,
        'expected a directory, found none that is readable',
      );
  }

  function takeFound(): readonly ImportSource[] {
    const taken = found;
    found = [];
    return taken;
  }

  return {
    async find(roots, isWanted) {
      for (const root of roots) await begin(root, isWanted);
      return takeFound();
    },
    async followLinks() {
      // Linked directories may hold further links.
      for (const link of links) await follow(link);
      return takeFound();
    },
  };
}

const compressed = /^(.*\.jsonl)\.(?:gz|zst|bz2|xz|zip)$/i;

function isSession({ isWanted, path }: Candidate): boolean {
  return isWanted(basename(path));
}

function stripEnding(name: string): string {
  return name.replace(/\.jsonl$/i, '');
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function errorCode(error: unknown): string {
  return String((error as NodeJS.ErrnoException).code);
}
