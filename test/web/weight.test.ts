/** How much the page weighs, as it is sent: the budgets of its design. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';

const page = fileURLToPath(new URL('../../collector/dist/web', import.meta.url));
const assets = readdirSync(join(page, 'assets')).map((name) => ({
  name,
  bytes: gzipSync(readFileSync(join(page, 'assets', name))).length,
}));
const bytesOf = (names: RegExp) =>
  assets.filter(({ name }) => names.test(name)).reduce((sum, { bytes }) => sum + bytes, 0);

describe('the page, compressed', () => {
  it('needs at most 50 kB of JavaScript for its first view', () => {
    const first = readFileSync(join(page, 'index.html'), 'utf8').match(/assets\/[^"]+\.js/g) ?? [];
    expect(first).toHaveLength(1);
    const imports = importsOf(first[0] ?? '');
    expect(bytesOf(new RegExp([...imports].map(escaped).join('|')))).toBeLessThanOrEqual(50_000);
  });

  it('has at most 120 kB of JavaScript in all', () => {
    expect(bytesOf(/\.js$/)).toBeGreaterThan(10_000);
    expect(bytesOf(/\.js$/)).toBeLessThanOrEqual(120_000);
  });

  it('has at most 7 kB of styles, and no fonts or images', () => {
    expect(bytesOf(/\.css$/)).toBeLessThanOrEqual(7_000);
    expect(assets.filter(({ name }) => !/\.(js|css|txt)$/.test(name))).toEqual([]);
  });
});

/** A file and what it loads at once. */
function importsOf(file: string, seen = new Set<string>()): ReadonlySet<string> {
  const name = file.replace(/^.*\//, '');
  if (seen.has(name)) return seen;
  seen.add(name);
  const text = readFileSync(join(page, 'assets', name), 'utf8');
  const imported = text.matchAll(/(?:^|[;}])(?:import|export)[^;()]*?["']\.\/([^"']+)["']/g);
  for (const [, next = ''] of imported) importsOf(next, seen);
  return seen;
}

function escaped(name: string): string {
  return name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
