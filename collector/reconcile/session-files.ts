/** Finds session files and reads their headers: the shell around the pure reading of entries. */
import { closeSync, openSync, readdirSync, readSync, type Stats, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type FileHeader, readHeader } from './file-entries.ts';
import { type Json, jsonObject } from './usage-figures.ts';

export interface SessionFile {
  readonly path: string;
  readonly bytes: number;
  readonly changedAtMs: number;
  readonly header: FileHeader;
}

/** What could not be read, and what was expected there. */
export interface FileProblem {
  readonly path: string;
  /** From 1; null for the file as a whole. */
  readonly line: number | null;
  readonly message: string;
  /** Of how many lines it tells together; one when it is not there. */
  readonly lines?: number;
}

export interface FoundFiles {
  /** Oldest header first: the first one that holds a unit owns it. */
  readonly files: readonly SessionFile[];
  readonly problems: readonly FileProblem[];
}

const depthMax = 32;
const filesMax = 1_000_000;

/** Each file once, whatever the number of paths to it. Throws for a directory of the caller's that cannot be read. */
export function findSessionFiles(directories: readonly string[]): FoundFiles {
  const problems: FileProblem[] = [];
  const paths = new Map<string, { path: string; stats: Stats }>();
  const visited = new Set<string>();
  for (const directory of directories) walk(resolve(directory), 0, { visited, paths, problems, isAsked: true });
  if (paths.size > filesMax) throw new Error(`More than ${filesMax} session files: compare fewer directories at once.`);
  const files: SessionFile[] = [];
  for (const { path, stats } of paths.values()) {
    const header = headerOf(path, problems);
    if (header !== null) files.push({ path, bytes: stats.size, changedAtMs: stats.mtimeMs, header });
  }
  files.sort((left, right) => left.header.timeMs - right.header.timeMs || (left.path < right.path ? -1 : 1));
  return { files, problems };
}

/** omp keeps a subagent's file, called after the agent, in a directory that is called as the parent's file. */
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
  const place = `${stats.dev}:${stats.ino}`;
  if (stats.isFile()) {
    if (path.endsWith('.jsonl') && !found.paths.has(place)) found.paths.set(place, { path, stats });
    return;
  }
  if (!stats.isDirectory() || depth > depthMax || found.visited.has(place)) return;
  found.visited.add(place);
  for (const name of namesIn(path, found)) walk(join(path, name), depth + 1, { ...found, isAsked: false });
}

/** A directory may be closed to this user, or gone meanwhile. */
function namesIn(path: string, { problems, isAsked }: Walk): readonly string[] {
  try {
    return readdirSync(path).sort();
  } catch (error) {
    if (isAsked) throw error;
    problems.push({ path, line: null, message: `cannot be read: ${(error as Error).message}` });
    return [];
  }
}

/** A file may be deleted while it is looked for, a link may lead nowhere; a directory that somebody asked for must be there. */
function statOf(path: string, { problems, isAsked }: Walk): Stats | null {
  try {
    return statSync(path);
  } catch (error) {
    if (isAsked) throw error;
    problems.push({ path, line: null, message: `cannot be read: ${(error as Error).message}` });
    return null;
  }
}

const headBytes = 64 * 1024;
/** omp writes a title in front of the header. */
const headLinesMax = 5;

function headerOf(path: string, problems: FileProblem[]): FileHeader | null {
  const lines = headOf(path, problems)?.split('\n', headLinesMax) ?? [];
  for (const line of lines) {
    const parsed = parseLine(line);
    const header = parsed === null ? null : readHeader(parsed);
    if (header !== null) return header;
  }
  if (lines.length === 0) return null;
  const byName = headerByName(path);
  const instead = byName === null ? '' : ': its session and time are taken from the name of the file';
  problems.push({ path, line: null, message: `expected the header of a session within the first lines${instead}` });
  return byName;
}

/** `<time>_<id>.jsonl`, the time with dashes for colons and the dot. */
function headerByName(path: string): FileHeader | null {
  const [, day, hour, minute, second, ms, id] = /(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z_([^/\\]+)\.jsonl$/.exec(path) ?? [];
  return readHeader({ type: 'session', id, timestamp: `${day}T${hour}:${minute}:${second}.${ms}Z` });
}

function headOf(path: string, problems: FileProblem[]): string | null {
  try {
    const descriptor = openSync(path, 'r');
    try {
      const buffer = Buffer.alloc(headBytes);
      return buffer.toString('utf8', 0, readSync(descriptor, buffer, 0, headBytes, 0));
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    problems.push({ path, line: null, message: `cannot be read: ${(error as Error).message}` });
    return null;
  }
}

/** Null for what is no JSON object. */
export function parseLine(text: string): Json | null {
  try {
    return jsonObject(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
