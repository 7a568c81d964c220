/**
 * `home.key` in PI_LEDGER_HOME: 256 random bits that only this user can read. A collector creates
 * it; whoever can read it can verify that a collector runs on this home (proof.ts).
 *
 * Guarantees: it exists completely or not at all, and several processes that create it at once all
 * end up with the same one. A file that is no key is replaced. It is read each time, so that a
 * removed key stops working.
 */
import { randomBytes } from 'node:crypto';
import { link, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readRegularFileLater } from '../machine/regular-file.ts';

export const homeKeyFile = 'home.key';

const fileMode = 0o600;
const keyBytes = 32;

/** Resolves to null if there is no valid key. Contract: never rejects. */
export async function readHomeKey(home: string): Promise<Buffer | null> {
  try {
    return keyIn(
      (await readRegularFileLater(pathIn(home), { bytesMax: textBytesMax })).toString('latin1'),
    );
  } catch {
    return null; // missing or not readable: the same for the reader
  }
}

/** Creates it if missing. Contract: rejects if the home cannot be written. */
export async function ensureHomeKey(home: string): Promise<Buffer> {
  const found = await readHomeKey(home);
  if (found !== null) return found;
  const path = pathIn(home);
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    await writeFile(draft, `${randomBytes(keyBytes).toString('hex')}\n`, {
      mode: fileMode,
      flag: 'wx',
    });
    // A link never replaces a key that another process has just created. Not all file systems have
    // links.
    await link(draft, path).catch(async () => {
      if ((await readHomeKey(home)) === null) await rename(draft, path);
    });
  } finally {
    await rm(draft, { force: true });
  }
  const key = await readHomeKey(home);
  if (key === null) throw new Error(`${path} cannot be created or read.`);
  return key;
}

function pathIn(home: string): string {
  return join(home, homeKeyFile);
}

const textBytesMax = 2 * keyBytes + 1;

function keyIn(text: string): Buffer | null {
  return /^[0-9a-f]{64}\n?$/.test(text) ? Buffer.from(text.trim(), 'hex') : null;
}
