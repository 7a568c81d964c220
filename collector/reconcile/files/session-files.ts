/** Finds session files and reads their headers. */
import { closeSync, openSync, readdirSync, type Stats, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type FileHeader, isEntry, readHeader } from './file-header.ts';
import { linesIn } from './lines.ts';
import { unreadableText } from './unreadable-text.ts';
import { type Json, jsonObject } from './usage-figures.ts';

export interface SessionFile {
  readonly path: string;
  readonly bytes: number;
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
  readonly reason: 'unreadable_line' | 'line_left_out' | 'file_left_out' | 'format_unknown';
  /** The entry's id, if at least that is readable. */
  readonly entryId?: string;
  /** The number of lines that it covers; default 1. */
  readonly lines?: number;
}

export interface FoundFiles {
  /** The oldest header first: the first file that holds a unit owns it. */
  readonly files: readonly SessionFile[];
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
  for (const { path, stats } of paths.values()) {
    const header = headerOf(path, problems);
    if (header !== null)
      files.push({ path, bytes: stats.size, changedAtMs: stats.mtimeMs, header });
  }
  files.sort(
    (left, right) => left.header.timeMs - right.header.timeMs || (left.path < right.path ? -1 : 1),
  );
  return { files, problems };
}

/** omp names a subagent's file after the agent, in a directory named after the parent's file. */
export function parentFileOf(path: string): { readonly path: string; readonly agentName: string } {
  const name = path.slice(dirname(path).length + 1);
  return { path: `${dirname(path)}.jsonl`, agentName: name.slice(0, -'.jsonl'.length) };
}

interface Walk {
  readonly visited: Set<string>;
  readonly paths: Map<string, { path: string; stats: Stats }>;
  readonly problems: FileProblem[];
  readonly isAsked: boolean;
}

function walk(path: string, depth: number, found: Walk): void {
  const stats = statOf(path, found);
  if (stats === null) return;
  const fileId = `${stats.dev}:${stats.ino}`;
  if (stats.isFile()) {
    if (path.endsWith('.jsonl') && !found.paths.has(fileId))
      found.paths.set(fileId, { path, stats });
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
function statOf(path: string, { problems, isAsked }: Walk): Stats | null {
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

/**
 * omp writes a title before the header. Without a header or an entry within these lines, it is
 * another kind of file.
 */
const headLinesMax = 20;
const formatVersionMax = 3;

function headerOf(path: string, problems: FileProblem[]): FileHeader | null {
  const head = headOf(path, problems);
  if (head === null || head.isEmpty) return null;
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

/** Works for damaged lines in any encoding. */
export function speaksOfUsage(text: string): boolean {
  return text.replaceAll('\0', '').includes('"usage"');
}

/** Parses `<time>_<id>.jsonl`, where the time has dashes for colons and the dot. */
function headerByName(path: string): FileHeader | null {
  const [, day, hour, minute, second, ms, id] =
    /(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z_([^/\\]+)\.jsonl$/.exec(path) ?? [];
  return readHeader({
    type: 'session',
    id,
    timestamp: `${day}T${hour}:${minute}:${second}.${ms}Z`,
  });
}

interface Head {
  readonly header: FileHeader | null;
  readonly isEmpty: boolean;
  readonly mayHoldSpend: boolean;
}

/** Null when the file cannot be read. */
function headOf(path: string, problems: FileProblem[]): Head | null {
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

/** Reads up to the header or the first entry. */
function readHead(descriptor: number): Head {
  let [isEmpty, mayHoldSpend] = [true, false];
  for (const { text, number } of linesIn(descriptor)) {
    isEmpty = false;
    const parsed = parseLine(text ?? '') ?? {};
    const header = readHeader(parsed);
    mayHoldSpend ||= text === null || isEntry(parsed) || speaksOfUsage(text);
    if (header !== null || isEntry(parsed) || number === headLinesMax)
      return { header, isEmpty, mayHoldSpend };
  }
  return { header: null, isEmpty, mayHoldSpend };
}

/** Undefined for invalid JSON, null for anything but an object. */
export function parseLine(text: string): Json | null | undefined {
  try {
    return jsonObject(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
