import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findGit } from '../../../core/project/git.ts';
import { createGitTrust } from '../../../core/project/git-trust.ts';

let root = '';
let home = '';
const me = process.geteuid?.() ?? null;
const somebody = 4_242_424;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'pi-ledger-git-trust-')));
  home = join(root, 'home');
  mkdirSync(join(root, 'shop/src'), { recursive: true });
  mkdirSync(home);
  execFileSync('git', ['init', '--quiet', join(root, 'shop')], {
    env: { PATH: process.env.PATH, HOME: home },
  });
});
afterEach(() => rmSync(root, { recursive: true }));

interface Who {
  readonly userId?: number | null;
  readonly environment?: Record<string, string>;
  readonly system?: string;
}

function isRead({ userId = somebody, environment = {}, system = '' }: Who = {}): boolean {
  const systemConfig = join(root, 'gitconfig');
  writeFileSync(systemConfig, system);
  return (
    findGit(
      join(root, 'shop/src'),
      createGitTrust({ homeDirectory: home, environment, userId, systemConfig }),
    ) !== null
  );
}

function configured(text: string, path = '.gitconfig'): void {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), text);
}

describe.skipIf(me === null)('the repository of somebody else', () => {
  it('is not read; one’s own is, and where the platform knows no owners any', () => {
    expect([isRead(), isRead({ userId: me }), isRead({ userId: null })]).toEqual([
      false,
      true,
      true,
    ]);
  });

  it.skipIf(me !== 0)('is that of root and of who called sudo, for root under sudo', () => {
    expect(isRead({ userId: 0, environment: { SUDO_UID: '1000' } })).toBe(true);
    chownSync(join(root, 'shop/.git'), 1000, 1000);
    expect(isRead({ userId: 0 })).toBe(false);
    expect(isRead({ userId: 0, environment: { SUDO_UID: '1000' } })).toBe(true);
    expect(isRead({ userId: 0, environment: { SUDO_UID: '1001' } })).toBe(false);
    expect(isRead({ userId: 0, environment: { SUDO_UID: 'root' } })).toBe(false);
    expect(isRead({ userId: 7, environment: { SUDO_UID: '1000' } })).toBe(false);
  });

  it.skipIf(me !== 0)('is refused where git refuses it', () => {
    const gitReads = () => {
      const env = { PATH: process.env.PATH, HOME: home, GIT_CONFIG_NOSYSTEM: '1' };
      return (
        spawnSync('git', ['rev-parse', '--show-toplevel'], { cwd: join(root, 'shop/src'), env })
          .status === 0
      );
    };
    for (const path of ['shop', 'shop/.git']) {
      expect([gitReads(), isRead({ userId: 0 })]).toEqual([true, true]);
      chownSync(join(root, path), 1000, 1000);
      expect([gitReads(), isRead({ userId: 0 })]).toEqual([false, false]);
      configured(`[safe]\n\tdirectory = ${root}/shop\n`);
      expect([gitReads(), isRead({ userId: 0 })]).toEqual([true, true]);
      configured('');
      chownSync(join(root, path), 0, 0);
    }
  });

  it('is read when the user or the system says that it is safe, in any of git’s ways', () => {
    for (const [directories, expected] of [
      [['*'], true],
      [['ROOT/shop'], true],
      [['ROOT/shop/src'], false],
      [['ROOT'], false],
      [['ROOT/*'], true],
      [['ROOT/sh*'], false],
      [['*', ''], false],
      [['', 'ROOT/shop'], true],
    ] as const) {
      const lines = directories.map((each) => `\tdirectory = ${each.replace('ROOT', root)}\n`);
      const text = `[safe]\n${lines.join('')}`;
      for (const place of ['.gitconfig', '.config/git/config']) {
        configured(text, place);
        expect({ directories, place, isRead: isRead() }).toEqual({
          directories,
          place,
          isRead: expected,
        });
        rmSync(join(home, place));
      }
      expect({ directories, isRead: isRead({ system: text }) }).toEqual({
        directories,
        isRead: expected,
      });
    }
    expect(isRead({ environment: { XDG_CONFIG_HOME: join(home, 'xdg') } })).toBe(false);
    configured('[safe]\n\tdirectory = *\n', 'xdg/git/config');
    expect(isRead({ environment: { XDG_CONFIG_HOME: join(home, 'xdg') } })).toBe(true);
    configured('[safe]\n\tdirectory =\n');
    expect(isRead({ environment: { XDG_CONFIG_HOME: join(home, 'xdg') } })).toBe(false);
  });
});
