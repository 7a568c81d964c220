/**
 * Size of the whole spool, all producers together. The sum is over a directory that others change
 * at the same time: good enough for a limit, but not exact.
 */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { adoptedRoot, rejectedDirectory } from './layout.ts';
import { decodeOwner } from './owner.ts';

/**
 * Bytes of all segments and rejected events, except in the directory of `exceptOwner`. Marks are
 * not counted: they have a fixed size and are pruned. Contract: never rejects; files that vanish or
 * cannot be read count nothing. Awaits `pause` after every `sliceFilesMax` files.
 */
export async function measureSpool(
  spoolDirectory: string,
  exceptOwner: string,
  pause: () => Promise<void>,
): Promise<number> {
  const count = createCounter(pause);
  for (const name of await namesIn(spoolDirectory)) {
    if (name !== exceptOwner && decodeOwner(name) !== null)
      await count.directory(join(spoolDirectory, name));
  }
  const adopted = adoptedRoot(spoolDirectory);
  for (const name of await namesIn(adopted)) await count.directory(join(adopted, name));
  await count.directory(rejectedDirectory(spoolDirectory));
  return count.bytes();
}

const sliceFilesMax = 64;

function createCounter(pause: () => Promise<void>) {
  let bytes = 0;
  let files = 0;
  return {
    bytes: () => bytes,
    async directory(path: string): Promise<void> {
      for (const name of await namesIn(path)) {
        bytes += await measureBytes(join(path, name));
        files += 1;
        if (files % sliceFilesMax === 0) await pause();
      }
    },
  };
}

async function namesIn(directory: string): Promise<readonly string[]> {
  try {
    return await readdir(directory);
  } catch {
    return []; // missing, or just removed
  }
}

async function measureBytes(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch {
    return 0; // just shipped and removed
  }
}
