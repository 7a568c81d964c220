import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * What a host is told to install. Of a checkout, and where both packages lie side by side: the
 * folder of the extension; else its name in the registry.
 */
export function installLine(host: 'pi' | 'omp'): string {
  const folder = folderOfTheExtension(import.meta.dirname);
  if (host === 'pi')
    return folder === null ? 'pi install npm:@pi-ledger/extension' : `pi install ${folder}`;
  return folder === null ? 'omp plugin install @pi-ledger/extension' : `omp plugin link ${folder}`;
}

/** Null where there is none beside the package that `inside` is part of, as source or as bundle. */
export function folderOfTheExtension(inside: string): string | null {
  if (existsSync(join(inside, 'bin', 'pi-ledger.mjs'))) {
    const folder = join(inside, '..', 'extension');
    return existsSync(join(folder, 'load.cjs')) ? folder : null;
  }
  const above = dirname(inside);
  return above === inside ? null : folderOfTheExtension(above);
}
