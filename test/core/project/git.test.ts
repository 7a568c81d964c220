import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findGit, type Repository, readRepository } from '../../../core/project/git.ts';
import type { GitTrust } from '../../../core/project/git-trust.ts';

let root = '';
const at = (...parts: string[]) => join(root, ...parts);
const own: GitTrust = { trusts: () => true };

function git(directory: string, ...args: string[]): string {
  const env = {
    PATH: process.env.PATH,
    HOME: root,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_DATE: '2026-01-01T00:00:00Z',
    GIT_COMMITTER_DATE: '2026-01-01T00:00:00Z',
  };
  const identity = [
    '-c',
    'user.name=Ada',
    '-c',
    'user.email=ada@example.org',
    '-c',
    'protocol.file.allow=always',
  ];
  return execFileSync('git', [...identity, ...args], {
    cwd: directory,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim();
}

function repository(directory: string): Repository | null {
  const place = findGit(directory, own);
  return place === null ? null : readRepository(place);
}

beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'pi-ledger-git-')));
  mkdirSync(at('shop/src/deep'), { recursive: true });
  git(at('shop'), 'init', '--quiet', '--initial-branch', 'main');
  git(at('shop'), 'remote', 'add', 'origin', 'https://ada:secret@git.example.org/ada/shop.git');
  git(at('shop'), 'remote', 'add', 'backup', 'https://git.example.org/backup.git');
  git(at('shop'), 'commit', '--quiet', '--allow-empty', '-m', 'Begin');
});

afterAll(() => rmSync(root, { recursive: true }));

describe('a repository', () => {
  it('is found from any directory below its root', () => {
    const expected = {
      name: 'shop',
      remote: 'https://git.example.org/ada/shop.git',
      branch: 'main',
      worktree: null,
    };
    expect(repository(at('shop'))).toEqual(expected);
    expect(repository(at('shop/src/deep'))).toEqual(expected);
  });

  it('is null without one', () => {
    mkdirSync(at('plain'));
    expect(repository(at('plain'))).toBeNull();
    expect(repository(at('gone/away'))).toBeNull();
    writeFileSync(at('plain/.git'), 'not what git writes');
    expect(repository(at('plain'))).toBeNull();
  });

  it('tells the branch of the moment, with slashes, and the commit when HEAD is detached', () => {
    const place = findGit(at('shop'), own);
    git(at('shop'), 'switch', '--quiet', '-c', 'feature/cart');
    expect(place && readRepository(place).branch).toBe('feature/cart');
    git(at('shop'), 'switch', '--quiet', '--detach');
    expect(place && readRepository(place).branch).toBe(
      git(at('shop'), 'rev-parse', 'HEAD').slice(0, 7),
    );
    git(at('shop'), 'switch', '--quiet', 'main');
  });

  it('gives its linked worktrees the name of the main one', () => {
    git(at('shop'), 'worktree', 'add', '--quiet', '-b', 'hotfix', at('somewhere-else'));
    expect(repository(at('somewhere-else'))).toEqual({
      name: 'shop',
      remote: 'https://git.example.org/ada/shop.git',
      branch: 'hotfix',
      worktree: 'somewhere-else',
    });
  });

  it('that is bare lends its name to its worktrees', () => {
    git(root, 'clone', '--quiet', '--bare', at('shop'), at('store.git'));
    git(at('store.git'), 'worktree', 'add', '--quiet', at('store-main'), 'main');
    expect(repository(at('store-main'))).toMatchObject({
      name: 'store',
      branch: 'main',
      worktree: 'store-main',
    });
  });

  it('as a submodule is separate', () => {
    git(root, 'init', '--quiet', '--initial-branch', 'main', at('big'));
    git(at('big'), 'submodule', '--quiet', 'add', at('shop'), 'libs/till');
    expect(repository(at('big/libs/till'))).toMatchObject({
      name: 'till',
      branch: 'main',
      worktree: null,
    });
  });

  it('without a remote has none, and without a commit a branch all the same', () => {
    git(root, 'init', '--quiet', '--initial-branch', 'trunk', at('fresh'));
    expect(repository(at('fresh'))).toEqual({
      name: 'fresh',
      remote: null,
      branch: 'trunk',
      worktree: null,
    });
  });

  it('stays readable with a config of any size', () => {
    git(root, 'init', '--quiet', '--initial-branch', 'main', at('huge'));
    appendFileSync(at('huge/.git/config'), '# padding\n'.repeat(100_000));
    expect(repository(at('huge'))).toMatchObject({ name: 'huge', remote: null });
  });
});

describe('a hostile repository', () => {
  const hostile = (name: string): string => {
    cpSync(at('shop'), at(name), { recursive: true });
    return at(name);
  };
  const replaceBy = (path: string, make: (path: string) => void) => {
    rmSync(path);
    make(path);
  };
  const pipe = (path: string) => void execFileSync('mkfifo', [path]);
  const zeros = (path: string) => symlinkSync('/dev/zero', path);

  it.each([
    ['a pipe', pipe],
    ['a link to a device', zeros],
  ])('with %s in place of a file makes nobody wait', (_what, make) => {
    const directory = hostile(`hostile-${make.name}`);
    for (const file of ['config', 'HEAD']) {
      const place = findGit(directory, own);
      replaceBy(join(directory, '.git', file), make);
      expect(place && readRepository(place).remote).toBeNull();
    }
    expect(findGit(directory, own)).toBeNull();
    rmSync(join(directory, '.git'), { recursive: true });
    make(join(directory, '.git'));
    expect(findGit(directory, own)).toBeNull();
  });

  it.each([
    ['a pipe', pipe],
    ['a link to a device', zeros],
  ])('with %s for its common directory is one without', (_what, make) => {
    const directory = hostile(`common-${make.name}`);
    make(join(directory, '.git', 'commondir'));
    expect(repository(directory)).toMatchObject({
      remote: 'https://git.example.org/ada/shop.git',
      branch: 'main',
    });
  });

  it('with a url of blanks, or files without end, is read in no time', () => {
    const directory = hostile('blanks');
    appendFileSync(
      join(directory, '.git', 'config'),
      `[remote "origin"]\n\turl =${' '.repeat(200_000)}x${' '.repeat(1_000)}\n`,
    );
    expect(repository(directory)).toMatchObject({ remote: 'https://git.example.org/ada/shop.git' });
    writeFileSync(join(directory, '.git', 'HEAD'), `ref: refs/heads/${' '.repeat(300_000)}x`);
    expect(repository(directory)).toMatchObject({ branch: null });
    truncateSync(join(directory, '.git', 'config'), 8 * 1024 ** 3);
    expect(repository(directory)).toMatchObject({ name: 'blanks' });
  });

  it('leaks no credentials that are spelt as git reads them', () => {
    const directory = hostile('spelt');
    for (const [line, remote] of [
      ['url = "https://u:S3CRET@h/x" ; mine', 'https://h/x'],
      ['url = https://u:S3C\\\nRET@h/x', 'https://h/x'],
      ['url = "https://u:S3CRET@h/x"# mine', 'https://h/x'],
      ['url = \\"https://u:S3CRET@h/x', 'h/x'],
      ['url = "https://u:S3C\\tRET@h/x"', 'https://h/x'],
      ['url = u:S3CRET@h:x', 'h:x'],
    ] as const) {
      writeFileSync(join(directory, '.git', 'config'), `[remote "origin"]\n\t${line}\n`);
      expect({ line, remote: repository(directory)?.remote }).toEqual({ line, remote });
    }
  });

  it('cuts a config at a whole line, so that no half of a url is taken for one', () => {
    const directory = hostile('long');
    const padding = '#'.repeat(256 * 1024 - '[remote "origin"]\n\n\turl = https://u:S3'.length);
    writeFileSync(
      join(directory, '.git', 'config'),
      `[remote "origin"]\n${padding}\n\turl = https://u:S3CRET@h/x\n`,
    );
    expect(repository(directory)?.remote).toBeNull();
  });

  it('of somebody else is not read, and none above it either', () => {
    const outer = hostile('outer');
    const inner = join(outer, 'inner');
    mkdirSync(join(inner, 'deep'), { recursive: true });
    git(inner, 'init', '--quiet');
    const asked: string[][] = [];
    const place = findGit(join(inner, 'deep'), {
      trusts: (top, paths) => asked.push([top, ...paths]) === 0,
    });
    expect(place).toBeNull();
    expect(asked).toEqual([[inner, join(inner, '.git'), inner, join(inner, '.git')]]);
  });
});
