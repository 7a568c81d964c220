/** `load.cjs` by itself: hosts evaluate it again when they load their extensions again. */
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../collector/support/directory.ts';

const original = join(import.meta.dirname, '..', '..', 'extension', 'load.cjs');

it('takes the files of today when it is loaded again, all of them', () => {
  const folder = temporaryDirectory();
  const entry = join(folder, 'load.cjs');
  const require = createRequire(entry);
  copyFileSync(original, entry);
  mkdirSync(join(folder, 'dist'));
  const build = (version: string): void => {
    const chunk = join(folder, 'dist', 'chunk.cjs');
    writeFileSync(chunk, `module.exports = '${version}';`);
    const index = "const version = require('./chunk.cjs'); module.exports = () => version;";
    writeFileSync(join(folder, 'dist', 'index.cjs'), index);
  };
  const load = (): string => {
    delete require.cache[entry];
    return require(entry)();
  };
  build('old');
  expect(load()).toBe('old');
  build('new');
  expect(load()).toBe('new');
});
