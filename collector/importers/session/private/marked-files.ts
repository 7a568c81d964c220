/**
 * Finds the files that hold an entry of ours about private stretches, by its text alone: most files
 * have none, and are read from memory at the speed of a comparison.
 */
import { closeSync, openSync, readSync } from 'node:fs';
import { setImmediate as breathe } from 'node:timers/promises';
import { markType } from '@pi-ledger/core/record/privacy';

const mark = Buffer.from(`"${markType}"`);
const chunkBytes = 256 * 1024;
const breatheEveryMs = 10;

/** Unreadable files are left out: reading them says why. Contract: yields to the event loop. */
export async function filesWithMarks(
  paths: readonly string[],
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const found: string[] = [];
  const buffer = Buffer.allocUnsafe(mark.length - 1 + chunkBytes);
  let breathedMs = performance.now();
  for (const path of paths) {
    for (const isFound of marksIn(path, buffer)) {
      if (isFound) found.push(path);
      if (performance.now() - breathedMs < breatheEveryMs) continue;
      await breathe();
      breathedMs = performance.now();
    }
    if (signal?.aborted) break;
  }
  return found;
}

/** Chunk by chunk, up to the first mark. */
function* marksIn(path: string, buffer: Buffer): Generator<boolean> {
  let descriptor: number;
  try {
    descriptor = openSync(path, 'r');
  } catch {
    return;
  }
  try {
    let kept = 0;
    for (let at = 0; ; ) {
      const bytes = readSync(descriptor, buffer, kept, chunkBytes, at);
      if (bytes === 0) return;
      const read = buffer.subarray(0, kept + bytes);
      const isFound = read.includes(mark);
      yield isFound;
      if (isFound) return;
      at += bytes;
      kept = Math.min(mark.length - 1, read.length);
      buffer.copy(buffer, 0, read.length - kept, read.length);
    }
  } catch {
    return;
  } finally {
    closeSync(descriptor);
  }
}
