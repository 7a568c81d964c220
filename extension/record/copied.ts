import { type Entry, type Header, timeMsOf } from './entry.ts';

/** Entries in file order: an array, or a list that reads them as they are asked for. */
export interface Entries {
  readonly length: number;
  at(index: number): Entry | undefined;
}

/**
 * How many of a session's entries, from the first in file order, were copied from another session
 * by a fork, clone or branch: those in front that are older than the session's header. Their
 * owner's file records them.
 *
 * Only the front counts: when the clock is set back while a session lives, its own entries get
 * older times than its header, and they stay its own.
 */
export function copiedCount(header: Header | null, entries: Entries): number {
  if (header === null) return 0;
  let count = 0;
  while (count < entries.length && isOlder(entries.at(count), header.timeMs)) count += 1;
  return count;
}

/** What is no entry, or has no time, cannot be recorded either way. */
function isOlder(entry: Entry | undefined, timeMs: number): boolean {
  return entry === undefined || (timeMsOf(entry.timestamp) ?? 0) < timeMs;
}
