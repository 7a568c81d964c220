import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { commands } from '../../collector/cli/commands/registry.ts';
import { drawPicture, picturePath } from './picture.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const readme = readFileSync(`${root}/README.md`, 'utf8');

describe('the README', () => {
  it('shows what the report prints today (npm run picture draws it anew)', async () => {
    expect(await drawPicture()).toBe(readFileSync(picturePath, 'utf8'));
  });

  it('names the test command that CI runs', () => {
    const command = /^## Test\n\n```sh\n(.+)\n```/m.exec(readme)?.[1];
    expect(command).toBeDefined();
    expect(readFileSync(`${root}/.ci/run`, 'utf8').split('\n')).toContain(command);
  });

  it('lists as many commands as there are', () => {
    const rows = readme.split('\n').filter((line) => /^\| `[a-z-]+( |`)/.test(line));
    expect(rows).toHaveLength(commands.length);
  });
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
