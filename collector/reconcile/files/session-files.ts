/** Finds session files and reads their headers. */
import { closeSync, openSync, readdirSync, type Stats, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type FileHead, readHead } from './file-head.ts';
import { type FileHeader, readHeader, sessionIdInName } from './file-header.ts';
import { unreadableText } from './unreadable-text.ts';

/** One session's file, or several that are read as one. */
export interface SessionFile {
  readonly path: string;
  /** Absolute paths; absent: the file at `path` alone. */
  readonly files?: readonly string[];
  /** All of them are counted together. */
  readonly bytes: number;
  /** When one of them was last written. */
  readonly changedAtMs: number;
  readonly header: FileHeader;
}

/** Something that could not be read, and what was expected. */
export interface FileProblem {
  readonly path: string;
  /** From 1; null for the file as a whole. */
  readonly line: number | null;
  readonly message: string;
  /** Tells whether spend may be lost, which makes it a fault. */
  readonly reason:
    | 'unreadable_line'
    | 'line_left_out'
    | 'file_left_out'
    | 'format_unknown'
    | 'unknown_place';
  /** The entry's id, if at least that is readable. */
  readonly entryId?: string;
  /** The number of lines that it covers; default 1. */
  readonly lines?: number;
}

/** A file with what a host printed of a session. */
export interface Stream {
  readonly file: SessionFile;
  /** By what tells them apart: when each was asked for; null where that is not said. */
  readonly answers: ReadonlyMap<string, number | null>;
}

export interface FoundFiles {
  readonly files: readonly SessionFile[];
  readonly streams: readonly Stream[];
  readonly problems: readonly FileProblem[];
}

const depthMax = 32;
const filesMax = 1_000_000;

/**
 * Finds each file once, whatever the number of paths to it. Throws when one of the given
 * directories cannot be read.
 */
export function findSessionFiles(directories: readonly string[]): FoundFiles {
  const problems: FileProblem[] = [];
  const paths = new Map<string, { path: string; stats: Stats }>();
  const visited = new Set<string>();
  for (const directory of directories)
    walk(resolve(directory), 0, { visited, paths, problems, isAsked: true });
  if (paths.size > filesMax)
    throw new Error(
      `There are more than ${filesMax} session files: compare fewer directories at once.`,
    );
  const files: SessionFile[] = [];
  const streams: Stream[] = [];
  for (const { path, stats } of paths.values()) {
    const found = { path, bytes: stats.size, changedAtMs: stats.mtimeMs };
    const head = headOf(path, problems);
    const printed = head?.printed ?? null;
    if (printed !== null && printed.header !== null && printed.answers.size > 0)
      streams.push({ file: { ...found, header: printed.header }, answers: printed.answers });
    const header = head === null ? null : headerOf(path, head, problems);
    if (header !== null) files.push({ ...found, header });
  }
  return { files, streams, problems };
}

/** omp names a subagent's file after the agent, in a directory named after the parent's file. */
export function findParentFile(path: string): {
  readonly path: string;
  readonly agentName: string;
} {
  const name = path.slice(dirname(path).length + 1);
  return { path: `${dirname(path)}.jsonl`, agentName: name.replace(jsonl, '') };
}

interface Walk {
  readonly visited: Set<string>;
  readonly paths: Map<string, { path: string; stats: Stats }>;
  readonly problems: FileProblem[];
  readonly isAsked: boolean;
}

const jsonl = /\.jsonl$/i;
const compressed = /\.jsonl\.(?:gz|zst|bz2|xz|zip)$/i;

function notUnpacked(path: string): FileProblem {
  const message = 'a compressed file is not read: unpack it to have it compared';
  return { path, line: null, message, reason: 'file_left_out' };
}

/** The session in a compressed file, by its name. */
export function compressedSessionId(path: string): string | null {
  return compressed.test(path) ? sessionIdInName(path.replace(/\.\w+$/, '')) : null;
}

function walk(path: string, depth: number, found: Walk): void {
  const stats = readStats(path, found);
  if (stats === null) return;
  const fileId = `${stats.dev}:${stats.ino}`;
  if (stats.isFile()) {
    if (jsonl.test(path) && !found.paths.has(fileId)) found.paths.set(fileId, { path, stats });
    if (compressed.test(path)) found.problems.push(notUnpacked(path));
    return;
  }
  if (!stats.isDirectory() || found.visited.has(fileId)) return;
  if (depth > depthMax) {
    found.problems.push({
      path,
      line: null,
      message: `is not searched: it lies more than ${depthMax} directories deep`,
      reason: 'file_left_out',
    });
    return;
  }
  found.visited.add(fileId);
  for (const name of namesIn(path, found))
    walk(join(path, name), depth + 1, { ...found, isAsked: false });
}

/** A directory may be unreadable for this user, or deleted in the meantime. */
function namesIn(path: string, { problems, isAsked }: Walk): readonly string[] {
  try {
    return readdirSync(path).sort();
  } catch (error) {
    if (isAsked) throw error;
    problems.push(unreadable(path, error));
    return [];
  }
}

/**
 * A file may be deleted during the search and a link may be broken, but a directory given by the
 * caller must exist.
 */
function readStats(path: string, { problems, isAsked }: Walk): Stats | null {
  try {
    return statSync(path);
  } catch (error) {
    if (isAsked) throw error;
    problems.push(unreadable(path, error));
    return null;
  }
}

/** A deleted file holds nothing anymore, and neither does a link to itself. */
export function unreadable(path: string, error: unknown): FileProblem {
  const { code } = error as NodeJS.ErrnoException;
  const isNothing = code === 'ENOENT' || code === 'ELOOP';
  return {
    path,
    line: null,
    message: unreadableText(error),
    reason: isNothing ? 'unreadable_line' : 'file_left_out',
  };
}

const formatVersionMax = 3;

/** Returns null for a file of no session. */
function headerOf(path: string, head: FileHead, problems: FileProblem[]): FileHeader | null {
  if (head.isEmpty || head.printed !== null) return null;
  const { header, mayHoldSpend } = head;
  if (header !== null) {
    if (header.version > formatVersionMax) problems.push(unknownFormat(path, header));
    return header;
  }
  const byName = headerByName(path);
  const instead = byName === null ? '' : '; its session id and time are taken from the file name';
  problems.push({
    path,
    line: null,
    message: `expected a session header before the first entry${instead}`,
    reason: byName === null && mayHoldSpend ? 'file_left_out' : 'unreadable_line',
  });
  return byName;
}

function unknownFormat(path: string, { version }: FileHeader): FileProblem {
  return {
    path,
    line: null,
    message:
      `format version ${version} is newer than the known version ${formatVersionMax}; ` +
      'anything new in it is not counted',
    reason: 'format_unknown',
  };
}

/** Parses `<time>_<id>.jsonl`, where the time has dashes for colons and the dot. */
export function headerByName(path: string): FileHeader | null {
  const [, day, hour, minute, second, ms, id] =
    /(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z_([^/\\]+)\.jsonl$/i.exec(path) ?? [];
  return readHeader({
    type: 'session',
    id,
    timestamp: `${day}T${hour}:${minute}:${second}.${ms}Z`,
  });
}

/** Returns null when the file cannot be read. */
function headOf(path: string, problems: FileProblem[]): FileHead | null {
  try {
    const descriptor = openSync(path, 'r');
    try {
      return readHead(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    problems.push(unreadable(path, error));
    return null;
  }
}
