/**
 * Sessions that omp's swarms keep in their projects: `<project>/.swarm_*` has a folder `context`.
 * Which projects there are is told by the first and the last session in each folder of omp's.
 * Takes plain files in plain folders alone; what cannot be read is left out without a word.
 */
import { closeSync, type Dirent, openSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readHead } from '../../files/file-head.ts';

/** `directories`: where omp keeps sessions. */
export function swarmFiles(directories: readonly string[]): readonly string[] {
  const folders = directories.flatMap((directory) =>
    listEntries(directory)
      .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
      .map(({ name }) => join(directory, name)),
  );
  const projects = new Set(folders.slice(0, foldersMax).flatMap(listProjects));
  return [...projects].sort().flatMap(filesOfSwarms);
}

const foldersMax = 1_000;

function listProjects(folder: string): readonly string[] {
  const names = listEntries(folder)
    .filter(isSession)
    .map(({ name }) => name)
    .sort();
  return [...new Set([names[0], names.at(-1)])].flatMap((name) => {
    const cwd = name === undefined ? null : cwdIn(join(folder, name));
    return cwd?.startsWith('/') || /^[a-z]:[\\/]/i.test(cwd ?? '') ? [resolve(cwd ?? '')] : [];
  });
}

function cwdIn(path: string): string | null {
  try {
    const descriptor = openSync(path, 'r');
    try {
      return readHead(descriptor).header?.cwd ?? null;
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return null;
  }
}

function filesOfSwarms(project: string): readonly string[] {
  return foldersIn(project)
    .filter((name) => /^\.swarm_/.test(name))
    .map((name) => join(project, name))
    .filter((swarm) => foldersIn(swarm).includes('context'))
    .flatMap((swarm) => filesBelow(join(swarm, 'context'), 0));
}

const depthMax = 16;

function filesBelow(folder: string, depth: number): readonly string[] {
  if (depth > depthMax) return [];
  const files = listEntries(folder).filter((entry) => entry.isFile() && isSession(entry));
  return [
    ...files.map(({ name }) => join(folder, name)),
    ...foldersIn(folder).flatMap((name) => filesBelow(join(folder, name), depth + 1)),
  ];
}

function isSession({ name }: Dirent): boolean {
  return /^[^.].*\.jsonl$/i.test(name);
}

function foldersIn(folder: string): readonly string[] {
  return listEntries(folder)
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
}

function listEntries(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
