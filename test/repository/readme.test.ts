import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { commands } from '../../collector/cli/commands/registry.ts';
import { withAnswers } from './answers.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const readme = readFileSync(`${root}/README.md`, 'utf8');
const contributing = readFileSync(`${root}/CONTRIBUTING.md`, 'utf8');
const { scripts } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8'));
const wordsMax = 1_300;

describe('the README', () => {
  it('shows what commands answer today (npm run answers writes it)', async () => {
    expect(await withAnswers(readme)).toBe(readme);
  });

  it(`has at most ${wordsMax} words`, () => {
    expect(readme.split(/\s+/).length).toBeLessThanOrEqual(wordsMax);
  });

  it('begins with one way in, whose scripts are there', () => {
    const [first] = /^```sh\n(.+)\n```/m.exec(readme)?.slice(1) ?? [];
    expect(first).toBe('npm install && npx @pi-ledger/collector init');
    const page = [readme, contributing].join('\n');
    const named = [...page.matchAll(/npm run ([a-z:-]+)/g)].map(([, name]) => name);
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(named));
  });

  it('names the test command that CI runs', () => {
    const command = /^## Test\n\n```sh\n(.+)\n```/m.exec(readme)?.[1];
    expect(command).toBeDefined();
    expect(readFileSync(`${root}/.ci/run`, 'utf8').split('\n')).toContain(command);
  });
});

it('docs/commands.md lists as many commands as there are', () => {
  const page = readFileSync(`${root}/docs/commands.md`, 'utf8');
  const rows = page.split('\n').filter((line) => /^\| `[a-z-]+( |`)/.test(line));
  expect(rows).toHaveLength(commands.length);
});

describe('the repository', () => {
  it('carries no path of the machine it was made on', () => {
    const found = run('git', [
      'grep',
      '-nIE',
      '(^|[^A-Za-z~])(/work/|/root/)',
      '--',
      '.',
      ':!package-lock.json',
      ':!test/repository',
    ]);
    expect(found).toBe('');
  });
});

/** `git grep` exits with 1 if it finds nothing. */
function run(command: string, argv: readonly string[]): string {
  try {
    return execFileSync(command, argv, { cwd: root, encoding: 'utf8' });
  } catch (error) {
    const { status, stdout } = error as { status: number | null; stdout: string };
    if (status === 1) {
      return stdout;
    }
    throw error;
  }
}
