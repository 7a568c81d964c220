/** The header of a session file. Pure. */
import { asText, parseTime } from './entry-fields.ts';
import type { Json } from './usage-figures.ts';

export interface FileHeader {
  readonly sessionId: string;
  readonly timeMs: number;
  readonly cwd: string | null;
  /** As in the header: a path or a bare id. */
  readonly parentSession: string | null;
  /** 1 when absent. */
  readonly version: number;
}

export function readHeader(line: Json): FileHeader | null {
  const timeMs = parseTime(line.timestamp);
  if (line.type !== 'session' || typeof line.id !== 'string' || line.id === '' || timeMs === null)
    return null;
  const parent = line.parentSession ?? line.branchedFrom;
  const version = typeof line.version === 'number' ? line.version : 1;
  return {
    sessionId: line.id,
    timeMs,
    cwd: typeof line.cwd === 'string' ? line.cwd : null,
    parentSession: typeof parent === 'string' ? parent : null,
    version,
  };
}

export function isNoEntry({ type }: Json): boolean {
  return type === 'session' || type === 'title';
}

/** An entry of any type, even one without an id. */
export function isEntry(line: Json): boolean {
  return !isNoEntry(line) && asText(line.type) !== null && typeof line.timestamp === 'string';
}

/**
 * The id in a file's name, `<time>_<id>.jsonl`; null for other names. Times have no underscore, but
 * ids that users choose may (`--session-id`).
 */
export function sessionIdInName(path: string): string | null {
  return /(?:^|[/\\])[^_/\\]*_([^/\\]+)\.jsonl$/i.exec(path)?.[1] ?? null;
}

/** The same for names with a time, as hosts give them; others may have an underscore, too. */
export function sessionIdInTimedName(path: string): string | null {
  return /(?:^|[/\\])\d{4}-\d\d-\d\dT[\d-]+Z_([^/\\]+)\.jsonl$/i.exec(path)?.[1] ?? null;
}

/** The end of a path, which stays when its directory is moved or copied. */
export function readTail(path: string): string {
  return path
    .split(/[\\/]/)
    .filter((part) => part !== '')
    .slice(-3)
    .join('/');
}
