/** ARCHITECTURE.md names files and folders: they are there. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const text = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');

it('ARCHITECTURE.md names what is there', () => {
  const named = [...text.matchAll(/`((?:contract|extension|collector|migrations|test)\/[^`]*)`/g)]
    .map(([, path = '']) => path)
    .filter((path) => !/[<*]/.test(path));
  expect(named.length).toBeGreaterThan(60);
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
