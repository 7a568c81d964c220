/**
 * What `npm install` brings into a checkout is what running and the unit tests need: other tools
 * are in `test/tools/`.
 */
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const modules = fileURLToPath(new URL('../../node_modules', import.meta.url));
const bytesMax = 250 * 2 ** 20;

it('the packages of a checkout take at most 250 MB', () => {
  const sizes = readdirSync(modules)
    .map((name) => [sizeOf(join(modules, name)), name] as const)
    .toSorted(([a], [b]) => b - a);
  const total = sizes.reduce((sum, [bytes]) => sum + bytes, 0);
  expect({ isSmall: total <= bytesMax, largest: sizes.slice(0, 5) }).toMatchObject({
    isSmall: true,
  });
  expect(sizes.length).toBeGreaterThan(50);
});

/** Links to the workspaces count as links. */
function sizeOf(path: string): number {
  const found = lstatSync(path);
  if (!found.isDirectory()) return found.size;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}
