import { type Entry, type Header, parseTimeMs } from './entry.ts';

/** Entries in file order: an array, or a list that parses on access. */
export interface Entries {
  readonly length: number;
  at(index: number): Entry | undefined;
}

/**
 * How many of a session's first entries, in file order, were copied from another session by a fork,
 * clone or branch: the leading ones that are older than the session's header. The original session
 * records them.
 *
 * Only leading entries count: if the clock is set back during a session, its own entries become
 * older than its header and still belong to it.
 */
export function copiedCount(header: Header | null, entries: Entries): number {
  if (header === null) return 0;
  let count = 0;
  while (count < entries.length && isOlder(entries.at(count), header.timeMs)) count += 1;
  return count;
}

/** Something that is no entry, or has no time, cannot be recorded anyway. */
function isOlder(entry: Entry | undefined, timeMs: number): boolean {
  return entry === undefined || (parseTimeMs(entry.timestamp) ?? 0) < timeMs;
}
