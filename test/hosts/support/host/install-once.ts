/**
 * Brings something into the cache folder of the tests, once: what is there already is left alone,
 * and what is broken is never used.
 */
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/**
 * `present`: already complete. `installed`: installed now. `other`: another process was faster.
 */
export type Outcome = 'present' | 'installed' | 'other';

export const installTimeoutMs = 10 * 60_000;

/** Written last, inside the staging folder. */
export const markerName = 'installed.json';

/**
 * Contract: when it resolves, `directory` holds what `fill` put into the folder that it was given,
 * and what `fill` returned as `installed.json`. The work happens in a folder of this process and
 * becomes visible by one rename, so a broken install is never used and several processes may do
 * this at the same time: the first rename wins and the others throw theirs away.
 */
export async function installOnce(
  directory: string,
  fill: (staging: string) => Promise<object>,
): Promise<Outcome> {
  if (isInstalled(directory)) return 'present';
  const parent = dirname(directory);
  await mkdir(parent, { recursive: true });
  await sweep(parent);
  const staging = await mkdtemp(join(parent, `${stagingPrefix}${basename(directory)}-`));
  try {
    const marker = await fill(staging);
    await writeFile(join(staging, markerName), JSON.stringify(marker, null, 2));
    return (await publish(staging, directory)) ? 'installed' : 'other';
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

function isInstalled(directory: string): boolean {
  return existsSync(join(directory, markerName));
}

const stagingPrefix = '.staging-';

/** False when another process has published the same in the meantime. */
async function publish(staging: string, directory: string): Promise<boolean> {
  for (let attempt = 0; attempt < 3; attempt += 1) {
    try {
      await rename(staging, directory);
      return true;
    } catch (error) {
      if (isInstalled(directory)) return false;
      if (!existsSync(directory)) throw error;
      await setAside(directory);
    }
  }
  throw new Error(`${directory} is in the way and cannot be moved`);
}

/** A folder without marker is foreign or damaged: it is renamed before it is deleted. */
async function setAside(directory: string): Promise<void> {
  const grave = await mkdtemp(join(dirname(directory), `${stagingPrefix}${basename(directory)}-`));
  await rename(directory, join(grave, 'it')).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  await rm(grave, { recursive: true, force: true });
}

/** Removes remains of killed installs: no install takes six times its limit. */
async function sweep(parent: string): Promise<void> {
  const names = await readdir(parent);
  for (const path of names
    .filter((name) => name.startsWith(stagingPrefix))
    .map((name) => join(parent, name))) {
    const age = Date.now() - ((await stat(path).catch(() => undefined))?.mtimeMs ?? Date.now());
    if (age > 6 * installTimeoutMs) await rm(path, { recursive: true, force: true });
  }
}
