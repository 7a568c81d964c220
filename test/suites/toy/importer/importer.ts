/** The importer of a made-up agent, whose sources are folders of files: `~/.toy/<chat>/`. */
import { readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type {
  Discovery,
  Importer,
  ImportSource,
} from '../../../../collector/importers/importer.ts';
import { lookAtSource } from '../../../../collector/importers/sources.ts';

export const toy: Importer = {
  name: 'toy',
  title: 'Toy',
  unpricesCopies: false,
  marksPrivacy: false,
  defaultDirectories: (_environment, homeDirectory) => [join(homeDirectory, '.toy')],
  discover: async (environment) =>
    environment.roots.flatMap(({ directory, isNamed }) => chatsIn(directory, isNamed, environment)),
  loadParser: async (setup) => (await import('./parse.ts')).createToyParser(setup),
};

function chatsIn(
  directory: string,
  isNamed: boolean,
  { issues }: Discovery,
): readonly ImportSource[] {
  try {
    return readdirSync(directory, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => join(realpathSync(directory), name))
      .sort()
      .flatMap((chat) => {
        const files = readdirSync(chat).filter((name) => /^(session|answer-\d+)\.json$/.test(name));
        if (!files.includes('session.json')) return [];
        const source = lookAtSource(
          toy,
          chat,
          files.sort().map((name) => join(chat, name)),
          issues,
        );
        return source === null ? [] : [source];
      });
  } catch (error) {
    const message = `the directory cannot be read (${(error as NodeJS.ErrnoException).code})`;
    const code = 'directory_unreadable';
    if (isNamed) issues.add({ code, file: directory, line: null, message, mayHoldSpend: true });
    return [];
  }
}
