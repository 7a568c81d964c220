/**
 * Adopts what dead producers left behind: their segments move into `adopted/<adopter>/` by atomic
 * renames, and the adopter ships them. The directory of an adopter that dies is adopted in turn.
 *
 * Guarantees: of two adopters exactly one gets a segment; an adopter may die at any point without
 * loss; nothing is ever overwritten (an owner that was only suspended continues under the same file
 * names). Does not guarantee that a segment is shipped once: if an adopter dies between shipping
 * and removing it, it is shipped again with the same event ids.
 */
import { existsSync, renameSync } from 'node:fs';
import { readdir, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { makeDirectory } from './directory.ts';
import { adoptedDirectory, adoptedName, adoptedRoot, isSegment } from './layout.ts';
import { judgeLiveness, type Observer, systemObserver } from './liveness.ts';
import { decodeOwner, encodeOwner, type SpoolOwner } from './owner.ts';

/**
 * An owner whose state is unknown counts as alive until its directory and segments have been
 * untouched for this long.
 */
export const silenceMs = 24 * 60 * 60 * 1000;

/**
 * Per pass. Other directories get their turn in a later pass, since each pass starts at a random
 * one.
 */
export const adoptedSegmentsMax = 64;
export const judgedDirectoriesMax = 500;

export interface AdoptionOptions {
  readonly spoolDirectory: string;
  readonly adopter: SpoolOwner;
  readonly nowMs: number;
  readonly random: () => number;
  readonly segmentsMax?: number;
  readonly observer?: Observer;
}

/**
 * One pass; returns the paths of the adopted segments, in the order in which each owner wrote them.
 * Contract: never rejects; a segment that cannot be moved stays for another pass or adopter.
 * Limited to `segmentsMax`: call again until nothing is returned.
 */
export async function adoptDead(options: AdoptionOptions): Promise<readonly string[]> {
  const adopter = encodeOwner(options.adopter);
  const target = adoptedDirectory(options.spoolDirectory, adopter);
  const segmentsMax = options.segmentsMax ?? adoptedSegmentsMax;
  const adopted: string[] = [];
  for (const { directory, name, isAdopter } of await foreignDirectories(options, adopter)) {
    if (adopted.length >= segmentsMax) break;
    if (!(await isAbandoned(directory, name, options))) continue;
    const segments = await segmentsIn(directory);
    for (const segment of segments.slice(0, segmentsMax - adopted.length)) {
      const path = moveInto(target, join(directory, segment), (copy) =>
        adoptedName(isAdopter ? null : name, segment, copy),
      );
      if (path !== null) adopted.push(path);
    }
    await removeIfEmpty(directory);
  }
  return adopted;
}

/**
 * Segments in a directory, in the order in which each owner wrote them. Contract: never rejects;
 * empty if there are none.
 */
export async function segmentsIn(directory: string): Promise<readonly string[]> {
  return (await namesIn(directory)).filter(isSegment).sort();
}

/** Contract: never rejects; a directory that is missing or not empty stays as it is. */
export async function removeIfEmpty(directory: string): Promise<void> {
  await rmdir(directory).catch(() => undefined); // ENOTEMPTY and ENOENT are expected
}

interface ForeignDirectory {
  readonly directory: string;
  readonly name: string;
  /** Holds segments that another process adopted, not its own. */
  readonly isAdopter: boolean;
}

async function foreignDirectories(
  { spoolDirectory, random }: AdoptionOptions,
  self: string,
): Promise<readonly ForeignDirectory[]> {
  const owners = (await namesIn(spoolDirectory)).map((name) => ({
    directory: join(spoolDirectory, name),
    name,
    isAdopter: false,
  }));
  const root = adoptedRoot(spoolDirectory);
  const adopters = (await namesIn(root)).map((name) => ({
    directory: join(root, name),
    name,
    isAdopter: true,
  }));
  const all = [...owners, ...adopters].filter(
    ({ name }) => name !== self && decodeOwner(name) !== null,
  );
  const start = Math.floor(random() * all.length);
  return [...all.slice(start), ...all.slice(0, start)].slice(0, judgedDirectoriesMax);
}

async function isAbandoned(
  directory: string,
  name: string,
  options: AdoptionOptions,
): Promise<boolean> {
  const owner = decodeOwner(name);
  if (owner === null) return false;
  switch (judgeLiveness(owner, options.observer ?? systemObserver(options.adopter))) {
    case 'dead':
      return true;
    case 'alive':
      return false;
    case 'unknown':
      return options.nowMs - (await lastSignMs(directory)) >= silenceMs;
  }
}

/**
 * A segment's time is its last append; a directory's time is the last segment created, adopted or
 * removed.
 */
async function lastSignMs(directory: string): Promise<number> {
  const paths = [directory, ...(await segmentsIn(directory)).map((name) => join(directory, name))];
  const times = await Promise.all(paths.map(changedAtMs));
  return Math.max(...times);
}

async function changedAtMs(path: string): Promise<number> {
  try {
    return (await stat(path)).mtimeMs;
  } catch {
    return Number.POSITIVE_INFINITY; // it has just vanished: another process is active there
  }
}

/**
 * Returns null if the segment is gone (another adopter was faster) or cannot be moved. Check and
 * rename are synchronous: only this process renames into its own directory, so no file can appear
 * under the name in between and be overwritten.
 */
function moveInto(target: string, source: string, nameOf: (copy: number) => string): string | null {
  try {
    makeDirectory(target);
    for (let copy = 1; copy <= copiesMax; copy += 1) {
      const path = join(target, nameOf(copy));
      if (existsSync(path)) continue;
      renameSync(source, path);
      return path;
    }
    return null;
  } catch {
    return null; // gone or not movable: it stays for another pass
  }
}

const copiesMax = 100;

async function namesIn(directory: string): Promise<readonly string[]> {
  try {
    return await readdir(directory);
  } catch {
    return []; // missing, not readable, or just removed
  }
}
