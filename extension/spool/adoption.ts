/**
 * Takes over what dead producers left behind: their segments move into `adopted/<adopter>/` by
 * atomic renames, and whoever adopted them ships them. An adopter that dies leaves its directory to
 * be adopted in turn.
 *
 * Guarantees: of two adopters exactly one gets a segment; an adopter may die at any point and
 * nothing is lost; nothing is ever overwritten (an owner that was only asleep goes on under the
 * same file names). Does not guarantee that a segment is shipped once: one that was shipped and not
 * yet removed when its adopter died is shipped again, under the same event ids.
 */
import { existsSync, renameSync } from 'node:fs';
import { readdir, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { makeDirectory } from './directory.ts';
import { judge, systemWitness, type Witness } from './judgement.ts';
import { adoptedDirectory, adoptedName, adoptedRoot, isSegment } from './layout.ts';
import { decodeOwner, encodeOwner, type Owner } from './owner.ts';

/**
 * An owner that can't be judged counts as alive until its directory and segments have been
 * untouched for so long.
 */
export const silenceMs = 24 * 60 * 60 * 1000;

/**
 * Per pass. Directories beyond it get their turn in another pass, since each pass begins at a
 * random one.
 */
export const adoptedSegmentsMax = 64;
export const judgedDirectoriesMax = 500;

export interface AdoptionOptions {
  readonly spoolDirectory: string;
  readonly adopter: Owner;
  readonly nowMs: number;
  readonly random: () => number;
  readonly segmentsMax?: number;
  readonly witness?: Witness;
}

/**
 * One pass; answers the paths of what it adopted, in the order in which each owner wrote them.
 * Contract: never rejects; what can't be moved stays where it is, for another pass or another
 * adopter. Bounded by `segmentsMax`: call again until it answers nothing.
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
 * empty when there is none.
 */
export async function segmentsIn(directory: string): Promise<readonly string[]> {
  return (await namesIn(directory)).filter(isSegment).sort();
}

/** Contract: never rejects; a directory that is not empty, or not there, stays as it is. */
export async function removeIfEmpty(directory: string): Promise<void> {
  await rmdir(directory).catch(() => undefined); // ENOTEMPTY and ENOENT are answers here, and an empty directory does no harm
}

interface ForeignDirectory {
  readonly directory: string;
  readonly name: string;
  /** Holds what another process adopted, not what it wrote itself. */
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
  switch (judge(owner, options.witness ?? systemWitness(options.adopter))) {
    case 'dead':
      return true;
    case 'alive':
      return false;
    case 'unknown':
      return options.nowMs - (await lastSignMs(directory)) >= silenceMs;
  }
}

/**
 * A segment's time is that of its last append; the directory's that of the last segment made,
 * adopted or removed.
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
    return Number.POSITIVE_INFINITY; // it vanished while we looked: somebody is at work there
  }
}

/**
 * Null when the segment is gone (another adopter was quicker) or can't be moved. Look and rename
 * are synchronous: only this process renames into its own directory, so no file can appear under
 * the name in between and be overwritten.
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
    return []; // not there, not readable, or tidied away meanwhile
  }
}
