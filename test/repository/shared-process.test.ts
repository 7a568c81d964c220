/**
 * Test files of the lane `unit` share processes. What a support file registers while it is loaded
 * is registered for the first test file alone: each must call for it.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const hooks = ['afterAll', 'afterEach', 'beforeAll', 'beforeEach'];

const folders = ['contract', 'core', 'extension', 'collector', 'dashboards', 'repository'];
const support = execFileSync(
  'git',
  ['ls-files', ...folders.map((name) => `test/${name}/**/*.ts`)],
  {
    cwd: root,
    encoding: 'utf8',
  },
)
  .split('\n')
  .filter((file) => file !== '' && !file.endsWith('.test.ts'))
  .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));

/** Hooks, and what registers some when it is called. */
function registering(): readonly string[] {
  const called = new RegExp(`\\b(${hooks.join('|')})\\(`);
  const functions = support
    .filter(({ text }) => called.test(text))
    .flatMap(({ text }) => [...text.matchAll(/^export (?:async )?function (\w+)/gm)])
    .flatMap(([, name]) => (name === undefined ? [] : [name]));
  return [...hooks, ...functions];
}

it('no support file registers a hook while it is loaded', () => {
  const names = registering();
  expect(names).toEqual(expect.arrayContaining(['temporaryDirectory', 'ledgerHomes']));
  const atLoad = new RegExp(`^(?:(?:export )?const .* = )?(?:await )?(${names.join('|')})\\(`, 'm');
  expect(support.filter(({ text }) => atLoad.test(text)).map(({ file }) => file)).toEqual([]);
});
