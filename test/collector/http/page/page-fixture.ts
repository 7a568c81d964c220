/** A built page, small enough to compare in full. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const html = '<!doctype html><html><head><title>page</title></head><body></body></html>';
export const script = `${'console.log("page");\n'.repeat(200)}`;

/** Writes it, and `first-asks.mjs` with this text. Returns the folder. */
export function writePage(directory: string, firstAsks?: string): string {
  mkdirSync(join(directory, 'assets', 'folder'), { recursive: true });
  writeFileSync(join(directory, 'index.html'), html);
  writeFileSync(join(directory, 'secret.txt'), 'beside the page');
  writeFileSync(join(directory, 'assets', 'main-1f3a.js'), script);
  writeFileSync(join(directory, 'assets', 'main-77ab.css'), 'body{margin:0}');
  if (firstAsks !== undefined) writeFileSync(join(directory, 'first-asks.mjs'), firstAsks);
  return directory;
}
