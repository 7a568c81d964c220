/**
 * All sources of one scan: each importer searches its roots, then links are followed, then
 * importers say what those found tell of. So a file that two importers reach belongs to the one
 * that needs no link, or to the first.
 */
import type { Discovery, ImportSource, Root } from './importer.ts';
import type { Issues } from './issues.ts';
import { createWalk } from './walk.ts';

/** In the order in which they are read. `wasRead`: whether this path was imported before. */
export async function discover(
  roots: readonly Root[],
  issues: Issues,
  wasRead: (path: string) => boolean = () => false,
): Promise<readonly ImportSource[]> {
  const walk = createWalk(issues, wasRead);
  const searches = [...Map.groupBy(roots, ({ importer }) => importer)].map(([importer, own]) => ({
    importer,
    environment: { roots: own, walk, issues, wasRead },
  })) satisfies readonly { readonly environment: Discovery }[];
  const found: ImportSource[] = [];
  for (const { importer, environment } of searches)
    addAll(found, await importer.discover(environment));
  addAll(found, await walk.followLinks());
  const paths = new Set(found.map(({ path }) => path));
  const more: ImportSource[] = [];
  for (const { importer, environment } of searches)
    addAll(more, (await importer.discoverMore?.(found, environment)) ?? []);
  return [...found, ...more.filter(({ path }) => !paths.has(path))];
}

function addAll(sources: ImportSource[], more: readonly ImportSource[]): void {
  for (const source of more) sources.push(source);
}
