/**
 * Swarms of omp keep their agents' sessions in the project, `.swarm_<name>/context`, and not where
 * sessions are by default. The projects are those that sessions there are of: all in one folder
 * are of one project, so two of each folder are asked, the oldest and the newest by name.
 *
 * What is missing or cannot be read is no issue, as nobody named it, and links lead nowhere.
 */
import { lstatSync, readdirSync } from 'node:fs';
import { dirname, isAbsolute, join, normalize } from 'node:path';
import type { Discovery, ImportSource, Root } from '../importer.ts';
import { createIssues } from '../issues.ts';
import { createFileHeaders } from '../session/file-header.ts';
import { createWalk } from '../walk.ts';

/** Files of the swarms of the projects that the files found are of, where the roots are default. */
export async function findSwarms(
  found: readonly ImportSource[],
  { roots, wasRead }: Discovery,
  isSessionFile: (name: string) => boolean,
): Promise<readonly ImportSource[]> {
  const swarms = roots.flatMap((root) => swarmRoots(root, found));
  return createWalk(createIssues(), wasRead).find(swarms, isSessionFile);
}

const projectsMax = 1_000;

function swarmRoots(root: Root, found: readonly ImportSource[]): readonly Root[] {
  if (root.isNamed) return [];
  const own = found.filter(({ path }) => dirname(dirname(path)) === root.directory);
  const folders = Map.groupBy(own, ({ path }) => dirname(path));
  const headers = createFileHeaders();
  const projects = [...folders.values()].slice(0, projectsMax).flatMap((files) =>
    [files.at(0), files.at(-1)].flatMap((file) => {
      const cwd = file === undefined ? null : (headers.of(file.path)?.cwd ?? null);
      return cwd === null || !isAbsolute(cwd) ? [] : [normalize(cwd)];
    }),
  );
  return [...new Set(projects)]
    .flatMap(contextsIn)
    .map((directory) => ({ ...root, directory, isClosed: true }));
}

function contextsIn(project: string): readonly string[] {
  try {
    return readdirSync(project, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name.startsWith('.swarm_'))
      .map(({ name }) => join(project, name, 'context'))
      .filter((path) => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true);
  } catch {
    return []; // the project is gone, or nobody may look
  }
}
