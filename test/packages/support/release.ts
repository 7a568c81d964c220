/**
 * `npm run release`: packs both packages into `release/`, with their checksums, which `sha256sum
 * --check SHA256SUMS` compares. Publishes nothing.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { repositoryRoot } from '../../hosts/support/ledger/ledger.ts';
import { packTarball } from './pack.ts';

/** In the form of `sha256sum`. */
export function checksums(paths: readonly string[]): string {
  const lines = paths.map((path) => {
    const sum = createHash('sha256').update(readFileSync(path)).digest('hex');
    return `${sum}  ${basename(path)}\n`;
  });
  return lines.join('');
}

if (import.meta.main) {
  const directory = join(repositoryRoot, 'release');
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory);
  const packed = ['collector', 'extension'].map((name) => packTarball(name, directory).path);
  const sums = checksums(packed);
  writeFileSync(join(directory, 'SHA256SUMS'), sums);
  console.log(`${directory}:\n${sums.trimEnd()}`);
}
