/**
 * The files of the built page (dashboards/web/), read by their list: no path of a request reaches
 * the file system.
 */
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compressed } from '../encoding.ts';

export interface Asset {
  /** Its media type. */
  readonly type: string;
  readonly plain: Buffer;
  readonly gzip: Buffer;
  readonly br: Buffer;
}

export interface PageFiles {
  readonly html: string;
  /** By name. A name contains a hash of the content. */
  readonly assets: ReadonlyMap<string, Asset>;
}

/** Where a build puts them: beside the bundle. */
export const builtPageDirectory = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../../dist/web/' : './web/', import.meta.url),
);

/** Reads them with the first use, once; null where nothing is built. */
export function createPageFiles(directory: string): () => Promise<PageFiles | null> {
  let reading: Promise<PageFiles | null> | null = null;
  return async () => {
    reading ??= readFiles(directory);
    const files = await reading;
    if (files === null) reading = null;
    return files;
  };
}

async function readFiles(directory: string): Promise<PageFiles | null> {
  try {
    const folder = join(directory, 'assets');
    const entries = await readdir(folder, { withFileTypes: true });
    const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
    const html = await readFile(join(directory, 'index.html'), 'utf8');
    const assets = new Map<string, Asset>();
    // One by one: each thread that compresses keeps memory of its own.
    for (const name of names) assets.set(name, await readAsset(folder, name));
    return { html, assets };
  } catch {
    return null;
  }
}

const mediaTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
};

async function readAsset(folder: string, name: string): Promise<Asset> {
  const plain = await readFile(join(folder, name));
  const gzip = await compressed(plain, 'gzip');
  const br = await compressed(plain, 'br');
  return { type: mediaTypes[extname(name)] ?? 'application/octet-stream', plain, gzip, br };
}
