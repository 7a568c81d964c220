/** Removes the marks of sessions untouched for half a year. */
import { readdir, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { marksDirectory } from './layout.ts';

export const markAgeMaxMs = 180 * 24 * 60 * 60 * 1000;

/**
 * Marks examined per call, starting at a random one, so that over many calls all get their turn.
 */
export const marksExaminedMax = 500;

interface PruneOptions {
  readonly spoolDirectory: string;
  readonly nowMs: number;
  readonly random: () => number;
  /** Awaited between slices. */
  readonly pause: () => Promise<void>;
}

const sliceMarksMax = 50;

/** Returns how many it removed. Contract: never rejects; bounded; off the host's path. */
export async function pruneMarks(options: PruneOptions): Promise<number> {
  const directory = marksDirectory(options.spoolDirectory);
  const names = await marksIn(directory);
  const start = Math.floor(options.random() * names.length);
  let removed = 0;
  for (const [index, name] of [...names.slice(start), ...names.slice(0, start)]
    .slice(0, marksExaminedMax)
    .entries()) {
    if (index % sliceMarksMax === 0) await options.pause();
    if (await removeIfOld(join(directory, name), options.nowMs - markAgeMaxMs)) removed += 1;
  }
  return removed;
}

async function marksIn(directory: string): Promise<readonly string[]> {
  try {
    return await readdir(directory);
  } catch {
    return []; // no marks yet
  }
}

async function removeIfOld(path: string, olderThanMs: number): Promise<boolean> {
  try {
    if ((await stat(path)).mtimeMs >= olderThanMs) return false;
    await unlink(path);
    return true;
  } catch {
    return false; // another process pruned it
  }
}
