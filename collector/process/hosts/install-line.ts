import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * The command that installs the extension in a host: by its folder in a checkout or beside this
 * package, otherwise by its name in the registry.
 */
export function installLine(host: 'pi' | 'omp'): string {
  return installCommand(host).map(inShell).join(' ');
}

/** The same, word by word. */
export function installCommand(host: 'pi' | 'omp'): readonly string[] {
  const folder = folderOfTheExtension(import.meta.dirname);
  if (host === 'pi') return ['pi', 'install', folder ?? `npm:${packageName}`];
  return folder === null
    ? ['omp', 'plugin', 'install', packageName]
    : ['omp', 'plugin', 'link', folder];
}

/** The command that takes out what `installCommand` puts in. */
export function removeCommand(host: 'pi' | 'omp'): readonly string[] {
  const [, , source = ''] = installCommand(host);
  return host === 'pi' ? ['pi', 'remove', source] : ['omp', 'plugin', 'uninstall', packageName];
}

const packageName = '@pi-ledger/extension';

export function inShell(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/**
 * Returns null if there is no extension next to the package (source or bundle) that contains
 * `inside`.
 */
export function folderOfTheExtension(inside: string): string | null {
  if (existsSync(join(inside, 'bin', 'pi-ledger.mjs'))) {
    const folder = join(inside, '..', 'extension');
    return existsSync(join(folder, 'load.cjs')) ? folder : null;
  }
  const above = dirname(inside);
  return above === inside ? null : folderOfTheExtension(above);
}
