/** A built page, small enough to compare in full. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

export const html = '<!doctype html><html><head><title>page</title></head><body></body></html>';
export const script = `${'console.log("page");\n'.repeat(200)}`;

/** Writes it, and `first-asks.mjs` with this text. Returns the folder. */
export function writePage(directory: string, firstAsks?: string): string {
  mkdirSync(join(directory, 'assets', 'folder'), { recursive: true });
  writeFileSync(join(directory, 'index.html'), html);
  writeFileSync(join(directory, 'secret.txt'), 'beside the page');
  writeAsset(directory, 'main-1f3a.js', script);
  writeAsset(directory, 'main-77ab.css', 'body{margin:0}');
  if (firstAsks !== undefined) writeFileSync(join(directory, 'first-asks.mjs'), firstAsks);
  return directory;
}

function writeAsset(directory: string, name: string, text: string): void {
  const files = { assets: text, gzip: gzipSync(text), br: brotliCompressSync(text) };
  for (const [folder, content] of Object.entries(files)) {
    mkdirSync(join(directory, folder), { recursive: true });
    writeFileSync(join(directory, folder, name), content);
  }
}
