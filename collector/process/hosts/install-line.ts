import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * The command that installs the extension in a host: by its folder in a checkout or beside this
 * package, otherwise by its name in the registry.
 */
export function installLine(host: 'pi' | 'omp'): string {
  const folder = folderOfTheExtension(import.meta.dirname);
  if (host === 'pi')
    return folder === null ? 'pi install npm:@pi-ledger/extension' : `pi install ${folder}`;
  return folder === null ? 'omp plugin install @pi-ledger/extension' : `omp plugin link ${folder}`;
}

/** Null if there is no extension next to the package (source or bundle) that contains `inside`. */
export function folderOfTheExtension(inside: string): string | null {
  if (existsSync(join(inside, 'bin', 'pi-ledger.mjs'))) {
    const folder = join(inside, '..', 'extension');
    return existsSync(join(folder, 'load.cjs')) ? folder : null;
  }
  const above = dirname(inside);
  return above === inside ? null : folderOfTheExtension(above);
}
