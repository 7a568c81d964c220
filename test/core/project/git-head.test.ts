import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findGit } from '../../../core/project/git.ts';
import { type GitHead, readHead } from '../../../core/project/git-head.ts';
import { createProjects } from '../../../core/project/project.ts';

let root = '';
let shop = '';
const at = (...parts: string[]) => join(root, ...parts);

function git(directory: string, ...args: string[]): string {
  const env = { PATH: process.env.PATH, HOME: root, GIT_CONFIG_NOSYSTEM: '1' };
  const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];
  const options = { cwd: directory, env, encoding: 'utf8', stdio: 'pipe' } as const;
  return execFileSync('git', [...identity, ...args], options).trim();
}

function commit(directory = shop): string {
  git(directory, 'commit', '--quiet', '--allow-empty', '-m', 'More');
  return git(directory, 'rev-parse', 'HEAD');
}

function head(directory = shop): GitHead | null {
  const place = findGit(directory, { trusts: () => true });
  return place === null ? null : readHead(place);
}

beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'pi-ledger-head-')));
});
beforeEach(() => {
  shop = mkdtempSync(join(root, 'shop-'));
  git(shop, 'init', '--quiet', '--initial-branch', 'main');
});
afterAll(() => rmSync(root, { recursive: true }));

describe('what is checked out', () => {
  it('is a branch without a commit, then each commit', () => {
    expect(head()).toEqual({ branch: 'main', commit: null });
    for (const _round of [1, 2]) {
      const made = commit();
      expect(head()).toEqual({ branch: 'main', commit: made });
    }
  });

  it('is a branch with slashes, or a commit without a branch', () => {
    const first = commit();
    git(shop, 'switch', '--quiet', '-c', 'feature/ABC-12/retry');
    expect(head()).toEqual({ branch: 'feature/ABC-12/retry', commit: first });
    git(shop, 'switch', '--quiet', '--detach');
    expect(head()).toEqual({ branch: first.slice(0, 7), commit: first });
  });

  it('is found where git packed it, until a commit is made', () => {
    const first = commit();
    git(shop, 'pack-refs', '--all');
    expect(head()).toEqual({ branch: 'main', commit: first });
    expect(head()?.commit).not.toBe(commit());
    expect(head()?.commit).toBe(git(shop, 'rev-parse', 'HEAD'));
  });

  it('is each worktree’s own', () => {
    const first = commit();
    git(shop, 'worktree', 'add', '--quiet', '-b', 'side', join(shop, 'wt'));
    const second = commit(join(shop, 'wt'));
    expect(head()).toEqual({ branch: 'main', commit: first });
    expect(head(join(shop, 'wt'))).toEqual({ branch: 'side', commit: second });
    git(shop, 'pack-refs', '--all');
    expect(head(join(shop, 'wt'))).toEqual({ branch: 'side', commit: second });
  });

  it('is found among 100,000 packed refs by a few small reads', () => {
    const name = (number: number) => `r${String(number).padStart(6, '0')}`;
    const hash = (number: number) => String(number).padStart(40, '0');
    const lines = Array.from(
      { length: 100_000 },
      (_, number) => `${hash(number)} refs/heads/${name(number)}\n^${hash(number)}\n`,
    );
    const header = '# pack-refs with: peeled fully-peeled sorted \n';
    writeFileSync(join(shop, '.git/packed-refs'), header + lines.join(''));
    const committed = (branch: string) => {
      writeFileSync(join(shop, '.git/HEAD'), `ref: refs/heads/${branch}\n`);
      return head();
    };
    for (const number of [0, 1, 777, 49_999, 50_000, 98_765, 99_999])
      expect(committed(name(number))?.commit).toBe(hash(number));
    for (const branch of ['a', 'r0499995', 'r050', 'z'])
      expect(committed(branch)).toEqual({ branch, commit: null });
    writeFileSync(join(shop, '.git/packed-refs'), lines.join(''));
    expect(committed(name(99_999))).toBeNull();
  });

  it.each([
    ['a ref that is a pipe', () => execFileSync('mkfifo', [join(shop, '.git/refs/heads/main')])],
    ['packed refs that are a pipe', () => execFileSync('mkfifo', [join(shop, '.git/packed-refs')])],
    ['packed refs without end', () => symlink('/dev/zero', '.git/packed-refs')],
    ['a ref that is no commit', () => writeFileSync(join(shop, '.git/refs/heads/main'), 'x\n')],
    ['a name that leads elsewhere', () => names('ref: refs/heads/../../../secret')],
    ['a name that is hidden', () => names('ref: refs/heads/.git')],
    ['a reftable', () => names('ref: refs/heads/.invalid')],
    ['nothing that git writes', () => names('?')],
  ])('is not told by %s', (_what, spoil) => {
    writeFileSync(at('secret'), `${'a'.repeat(40)}\n`);
    spoil();
    expect(head()).toBeNull();
  });

  function names(text: string): void {
    writeFileSync(join(shop, '.git/HEAD'), `${text}\n`);
  }
  function symlink(target: string, path: string): void {
    execFileSync('ln', ['-s', target, join(shop, path)]);
  }
});

describe('a project with what is checked out', () => {
  it('names both as of one moment', () => {
    const first = commit();
    const expected = { ...createProjects(root).of(shop), branch: 'main' };
    expect(createProjects(root).headOf(shop)).toEqual({ project: expected, commit: first });
    mkdirSync(at('plain'));
    expect(createProjects(root).headOf(at('plain'))).toBeNull();
  });
});
