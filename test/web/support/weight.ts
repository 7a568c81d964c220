/** How much the built page weighs, as it is sent. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const page = fileURLToPath(new URL('../../../collector/dist/web', import.meta.url));

export interface Asset {
  readonly name: string;
  /** Compressed. */
  readonly bytes: number;
}

export function pageAssets(): readonly Asset[] {
  return readdirSync(join(page, 'assets')).map((name) => ({
    name,
    bytes: gzipSync(readFileSync(join(page, 'assets', name))).length,
  }));
}

/** Scripts that the document names, and what they load at once. */
export function firstScripts(): readonly Asset[] {
  const document = readFileSync(join(page, 'index.html'), 'utf8');
  const seen = new Set<string>();
  for (const [path] of document.matchAll(/assets\/[^"]+\.js/g)) addImports(path, seen);
  return pageAssets().filter(({ name }) => seen.has(name));
}

export function totalBytes(assets: readonly Asset[]): number {
  return assets.reduce((sum, { bytes }) => sum + bytes, 0);
}

function addImports(path: string, seen: Set<string>): void {
  const name = path.replace(/^.*\//, '');
  if (seen.has(name)) return;
  seen.add(name);
  const text = readFileSync(join(page, 'assets', name), 'utf8');
  const imported = text.matchAll(/(?:^|[;}])(?:import|export)[^;()]*?["']\.\/([^"']+)["']/g);
  for (const [, next = ''] of imported) addImports(next, seen);
}
