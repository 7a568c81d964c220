/** All importers and their default directories. */
import type { Environment, Importer } from './importer.ts';
import { omp } from './omp.ts';
import { pi } from './pi.ts';
import type { Root } from './walk.ts';

export const importers: readonly Importer[] = [pi, omp];

export function defaultRoots(environment: Environment, homeDirectory: string): readonly Root[] {
  return importers.flatMap((importer) =>
    importer
      .defaultDirectories(environment, homeDirectory)
      .map((directory) => ({ importer, directory, isNamed: false })),
  );
}
