/** ARCHITECTURE.md names files and folders: they are there. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const text = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
const wordsMax = 2_500;

it('ARCHITECTURE.md names what is there', () => {
  const folders = 'contract|core|extension|collector|migrations|dashboards|deploy|lab|test';
  const named = [...text.matchAll(new RegExp(`\`((?:${folders})/[^\`]*)\``, 'g'))]
    .map(([, path = '']) => path)
    .filter((path) => !/[<*]/.test(path));
  expect(named.length).toBeGreaterThan(60);
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

it(`ARCHITECTURE.md has at most ${wordsMax} words before its dependencies`, () => {
  const [read = '', dependencies] = text.split('\n## Dependencies, and why\n');
  expect(dependencies).toBeDefined();
  expect(read.split(/\s+/).length).toBeLessThanOrEqual(wordsMax);
});
