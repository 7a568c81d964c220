/** All agents' sessions are searched here, unless somebody says otherwise. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, normalize } from 'node:path';
import type { FormatSearch, ReaderEnvironment, Search } from './reader.ts';
import { readers } from './registry.ts';

/** The default directories that exist, and what they tell of. */
export async function defaultSearches(environment: ReaderEnvironment): Promise<readonly Search[]> {
  const home = environment.HOME || homedir();
  const searches = readers.map((reader) => ({
    reader,
    directories: existing(reader.defaultDirectories(environment, home), home),
  }));
  const more: Search[] = [];
  for (const { reader, directories } of searches)
    more.push({ reader, directories: (await reader.tellMore?.(directories)) ?? [] });
  return withoutRepeats([...searches, ...more]).filter(({ directories }) => directories.length > 0);
}

/** A directory that several agents may use is searched by the first. */
function withoutRepeats(searches: readonly Search[]): readonly Search[] {
  const known = new Set<string>();
  return searches.map(({ reader, directories }) => {
    const own = directories.filter((directory) => !known.has(directory));
    for (const directory of own) known.add(directory);
    return { reader, directories: own };
  });
}

export function loadFormats(searches: readonly Search[]): Promise<readonly FormatSearch[]> {
  return Promise.all(
    searches.map(async ({ reader, directories }) => ({
      format: await reader.loadFormat(),
      directories,
    })),
  );
}

function existing(directories: readonly string[], home: string): readonly string[] {
  const absolute = directories
    .map((directory) => directory.replace(/^~(?=\/|$)/, () => home))
    .filter((directory) => isAbsolute(directory));
  return [...new Set(absolute.map(normalize))].filter((directory) => existsSync(directory));
}
