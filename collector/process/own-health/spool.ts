/** How the spool of this machine fares, without reading what is in it. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { segmentsIn } from '@pi-ledger/extension/spool/adoption';
import { decodeOwner } from '@pi-ledger/extension/spool/owner';

export interface SpoolStanding {
  readonly bytes: number;
  /** Producers whose segments were written to last this long ago, and are still there. */
  readonly silent: number;
}

const silentAfterMs = 5 * 60 * 1000;
/** No machine has more; a look stays cheap all the same. */
const directoriesMax = 1_000;

/** Files that go meanwhile count nothing. Without a spool all is zero. */
export async function readSpool(directory: string, nowMs: number): Promise<SpoolStanding> {
  const names = await readdir(directory).catch(() => []); // nobody has recorded here
  let bytes = 0;
  let silent = 0;
  for (const name of names.filter(isProducer).slice(0, directoriesMax)) {
    const files = await filesIn(join(directory, name));
    bytes += files.reduce((sum, { size }) => sum + size, 0);
    const newestMs = Math.max(...files.map(({ mtimeMs }) => mtimeMs));
    if (files.some(({ size }) => size > 0) && newestMs <= nowMs - silentAfterMs) silent += 1;
  }
  return { bytes, silent };
}

function isProducer(name: string): boolean {
  return decodeOwner(name) !== null;
}

async function filesIn(directory: string) {
  const segments = await segmentsIn(directory);
  const found = await Promise.all(
    segments.map((name) => stat(join(directory, name)).catch(() => null)),
  );
  return found.filter((each) => each !== null);
}
