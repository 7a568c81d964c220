/** All output to a terminal goes through one place on each side, which sanitizes it. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const excluded = ['**/node_modules/**', '**/dist/**', '**/bin/**', '**/build.mjs'];

/** The only files that use a stream of the process. */
const ways: readonly string[] = ['collector/cli/output/screen.ts', 'extension/terminal.ts'];

it('no source file but these touches what the process prints to', () => {
  const files = globSync('{contract,extension,collector}/**/*.{ts,mjs}', {
    cwd: root,
    exclude: excluded,
  });
  expect(files.length).toBeGreaterThan(300);
  const touching = files.filter((file) => {
    const code = readFileSync(join(root, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
    return /\bstdout\b|\bstderr\b|\bconsole\b|\/dev\/tty|writeSync\([12],/.test(code);
  });
  expect(touching.toSorted()).toEqual(ways.toSorted());
});

it('JSON on several lines has a way of its own, since a printed line is one line', () => {
  const commands = globSync('collector/cli/**/*.ts', {
    cwd: root,
    exclude: ['collector/cli/output/terminal.ts'],
  });
  expect(
    commands.filter((file) =>
      /JSON\.stringify\([^;]*, null, \d/.test(readFileSync(join(root, file), 'utf8')),
    ),
  ).toEqual([]);
});
