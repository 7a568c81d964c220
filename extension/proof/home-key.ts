/**
 * `home.key` in PI_LEDGER_HOME: 256 random bits that only this user can read. A collector makes it;
 * who can read it too knows whether a collector runs on this very home (proof.ts).
 *
 * Guarantees: it is there as a whole or not at all, and of several processes that make it at once
 * all end with the same one. What is there and is no key is replaced. It is read anew each time:
 * nobody goes on with one that was taken away.
 */
import { randomBytes } from 'node:crypto';
import { link, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readRegularFileLater } from '../spool/regular-file.ts';

const fileMode = 0o600;
const keyBytes = 32;

/** Null when there is none, or nothing that is one. Contract: never rejects. */
export async function readHomeKey(home: string): Promise<Buffer | null> {
  try {
    return keyIn(
      (await readRegularFileLater(pathIn(home), { bytesMax: textBytesMax })).toString('latin1'),
    );
  } catch {
    return null; // not there, or not ours to read: to the reader the same
  }
}

/** Makes it where there is none. Contract: rejects when the home cannot be written. */
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
    // A link never replaces a key that another process has just made. Not all file systems have
    // links.
    await link(draft, path).catch(async () => {
      if ((await readHomeKey(home)) === null) await rename(draft, path);
    });
  } finally {
    await rm(draft, { force: true });
  }
  const key = await readHomeKey(home);
  if (key === null) throw new Error(`${path} cannot be made or read.`);
  return key;
}

function pathIn(home: string): string {
  return join(home, 'home.key');
}

const textBytesMax = 2 * keyBytes + 1;

function keyIn(text: string): Buffer | null {
  return /^[0-9a-f]{64}\n?$/.test(text) ? Buffer.from(text.trim(), 'hex') : null;
}
