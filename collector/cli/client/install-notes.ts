import type { Terminal } from '../command.ts';
import type { Note } from '../output/answer-parts.ts';

/** Agents of this user that do not load the extension, each with the command that installs it. */
export async function installNotes({ env }: Pick<Terminal, 'env'>): Promise<readonly Note[]> {
  const { lookAtHosts } = await import('../../process/hosts/hosts.ts');
  return lookAtHosts(env).flatMap(({ host, isUsed, install }) =>
    isUsed && install !== null
      ? [{ text: `${host} does not record by itself; its files are read later`, next: install }]
      : [],
  );
}
