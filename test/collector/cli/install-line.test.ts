import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  folderOfTheExtension,
  installLine,
} from '../../../collector/process/hosts/install-line.ts';
import { repositoryRoot } from '../../hosts/support/ledger/ledger.ts';
import { temporaryDirectory } from '../support/directory.ts';

const directory = temporaryDirectory();

describe('what a host is told to install', () => {
  it('in a checkout is the folder of its extension', () => {
    expect(installLine('pi')).toBe(`pi install ${repositoryRoot}/extension`);
    expect(installLine('omp')).toBe(`omp plugin link ${repositoryRoot}/extension`);
  });

  it.each([
    ['from npm is the package, since there is no folder', [], null],
    [
      'beside an installed extension is its folder',
      ['@pi-ledger/extension/load.cjs'],
      '@pi-ledger/extension',
    ],
    ['beside something else of that name is the package', ['@pi-ledger/extension/index.js'], null],
  ])('%s', (_, beside, folder) => {
    const modules = mkdtempSync(join(directory, 'node_modules-'));
    for (const path of ['@pi-ledger/collector/bin/pi-ledger.mjs', ...beside]) {
      mkdirSync(dirname(join(modules, path)), { recursive: true });
      writeFileSync(join(modules, path), '');
    }
    const bundle = join(modules, '@pi-ledger/collector/dist');
    mkdirSync(bundle);
    expect(folderOfTheExtension(bundle)).toBe(folder === null ? null : join(modules, folder));
  });
});
