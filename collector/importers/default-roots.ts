import type { ImportEnvironment, Root } from './importer.ts';
import { importers } from './registry.ts';

/** All importers and their default directories. */
export function defaultRoots(
  environment: ImportEnvironment,
  homeDirectory: string,
): readonly Root[] {
  return importers.flatMap((importer) =>
    importer
      .defaultDirectories(environment, homeDirectory)
      .map((directory) => ({ importer, directory, isNamed: false })),
  );
}
