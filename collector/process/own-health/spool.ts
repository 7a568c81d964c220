/** How the spool of this machine fares, without reading what is in it. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { segmentsIn } from '@pi-ledger/core/spool/adoption';
import { adoptedRoot } from '@pi-ledger/core/spool/layout';
import { decodeOwner } from '@pi-ledger/core/spool/owner';

export interface SpoolStanding {
  readonly bytes: number;
  /** How long the oldest event has waited; 0 where none does. */
  readonly oldestMs: number;
  /** Producers whose oldest event has waited for five minutes or more, whatever they wrote. */
  readonly silent: number;
}

const silentAfterMs = 5 * 60 * 1000;
/** No machine has more; a look stays cheap all the same. */
const directoriesMax = 1_000;

/**
 * Files that go meanwhile count nothing. Without a spool all is zero. What a producer has adopted
 * is its own to send.
 */
export async function readSpool(directory: string, nowMs: number): Promise<SpoolStanding> {
  let bytes = 0;
  let oldestMs = 0;
  const silent = new Set<string>();
  for (const { name, path } of await producersIn(directory)) {
    for (const file of await filesIn(path)) {
      if (file.size === 0) continue;
      bytes += file.size;
      const waitedMs = Math.max(0, nowMs - begunAtMs(file));
      oldestMs = Math.max(oldestMs, waitedMs);
      if (waitedMs >= silentAfterMs) silent.add(name);
    }
  }
  return { bytes, oldestMs, silent: silent.size };
}

async function producersIn(directory: string) {
  const found = await Promise.all(
    [directory, adoptedRoot(directory)].map(async (root) => {
      const names = await readdir(root).catch(() => []); // nobody has recorded or adopted here
      const owners = names.filter((name) => decodeOwner(name) !== null);
      return owners.map((name) => ({ name, path: join(root, name) }));
    }),
  );
  return found.flat().slice(0, directoriesMax);
}

interface Times {
  readonly birthtimeMs: number;
  readonly mtimeMs: number;
}

/** When its first event was written; by the last one where the file system knows no births. */
function begunAtMs({ birthtimeMs, mtimeMs }: Times): number {
  return birthtimeMs > 0 ? Math.min(birthtimeMs, mtimeMs) : mtimeMs;
}

async function filesIn(directory: string) {
  const segments = await segmentsIn(directory);
  const found = await Promise.all(
    segments.map((name) => stat(join(directory, name)).catch(() => null)),
  );
  return found.filter((each) => each !== null);
}
