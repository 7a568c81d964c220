/**
 * Compares the parser with git itself: what `git config` reads of a file, the parser must read too.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { parseGitConfig } from '../../../core/project/git-config.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'pi-ledger-git-config-')));
afterAll(() => rmSync(root, { recursive: true }));

type Entry = readonly [key: string, value: string | null];

/** Null if git rejects the file. */
function byGit(text: string): readonly Entry[] | null {
  const path = join(root, 'config');
  writeFileSync(path, text);
  const { status, stdout } = spawnSync('git', ['config', '--file', path, '--null', '--list'], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH },
  });
  if (status !== 0) return null;
  const parts = stdout.split('\0').slice(0, -1);
  return parts.map((part) =>
    part.includes('\n')
      ? [part.slice(0, part.indexOf('\n')), part.slice(part.indexOf('\n') + 1)]
      : [part, null],
  );
}

/** Older versions of git turn a tab between words into a blank. */
const comparable = (entries: readonly Entry[]) =>
  entries.map(([key, value]) => [key, value?.replace(/[ \t\r]/g, ' ') ?? null]);
const read = (text: string) => parseGitConfig(text).map(({ key, value }): Entry => [key, value]);

describe('parseGitConfig', () => {
  it.each<[string, string | null]>([
    ['[remote "origin"]\n\turl = https://h/x\n', 'https://h/x'],
    ['[remote "origin"] url=https://h/x', 'https://h/x'],
    ['[REMOTE "origin"]\nURL = https://h/x', 'https://h/x'],
    ['[remote "origin"]\n\turl = "https://u:S3CRET@h/x" ; mine\n', 'https://u:S3CRET@h/x'],
    ['[remote "origin"]\nurl = https://h/x # a comment', 'https://h/x'],
    ['[remote "origin"]\nurl = "https://h/x#y"', 'https://h/x#y'],
    ['[remote "origin"]\nurl = https://\\\nh/\\\r\nx', 'https://h/x'],
    ['[remote "origin"]\r\nurl = https://h/x\r\n', 'https://h/x'],
    ['[remote "origin"]\nurl = "htt"ps"://h"/x', 'https://h/x'],
    ['[remote "origin"]\nurl = a\\tb\\"c\\\\d', 'a\tb"c\\d'],
    ['[remote.origin]\nurl = https://h/x', 'https://h/x'],
    ['\uFEFF[remote "origin"]\nurl = https://h/x', 'https://h/x'],
    ['; a\n# b\n\n[core]\nbare\n[remote "origin"] # c\nurl = https://h/x', 'https://h/x'],
    ['[remote "Origin"]\nurl = https://h/x', null],
    ['[remote "ori\\gin"]\nurl = https://h/x', 'https://h/x'],
    ['[remote "origin" ]\nurl = https://h/x', null],
    ['[remote origin]\nurl = https://h/x', null],
    ['[remote "origin"]\nurl = "https://h/x', null],
    ['[remote "origin"]\nurl = https://h/\\x', null],
    ['[remote "origin"]\nurl', null],
    ['url = https://h/x', null],
    ['', null],
  ])('reads %j as git does', (text, expected) => {
    const url = read(text).find(([key]) => key === 'remote.origin.url')?.[1] ?? null;
    expect(url).toBe(expected);
    const theirs = byGit(text);
    if (theirs !== null) expect(comparable(read(text))).toEqual(comparable(theirs));
  });

  it('reads what git reads, of any text of its grammar', () => {
    const piece = fc.constantFrom(
      ...[
        '[remote "origin"]',
        '[core]',
        '[a.b]',
        '[x "y\\"z"]',
        '\n',
        '\r\n',
        'url',
        'Name-2',
        ' = ',
        '=',
        ' ',
        '\t',
        '"',
        '\\"',
        '\\n',
        '\\\\',
        '\\\n',
      ],
      ...['#', ';', 'https://u:p@h/x', 'word', '0', '\\t', '"a b"', '[', ']', '.'],
    );
    const line = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
    const entry = fc
      .tuple(fc.constantFrom('url', 'k'), line)
      .map(([name, value]) => `\t${name} = ${value}\n`);
    const text = fc
      .array(fc.oneof(line, entry, fc.constant('[remote "origin"]\n')), { maxLength: 5 })
      .map((lines) => lines.join(''));
    let agreed = 0;
    fc.assert(
      fc.property(text, (config) => {
        const theirs = byGit(config);
        if (theirs === null) return;
        agreed += theirs.length > 0 ? 1 : 0;
        expect(comparable(read(config))).toEqual(comparable(theirs));
      }),
      { numRuns: 400 },
    );
    expect(agreed).toBeGreaterThan(20);
  });

  it('looks at each character once', () => {
    const blanks = ' '.repeat(200_000);
    expect(read(`[remote "origin"]\nurl =${blanks}x${blanks}y${blanks}\n`)).toEqual([
      ['remote.origin.url', `x${blanks}y`],
    ]);
    expect(read(`[remote "origin"]\n${'\\\n'.repeat(1_000)}`)).toEqual([]);
    expect(read('['.repeat(200_000))).toEqual([]);
    expect(read('"'.repeat(200_000))).toEqual([]);
  });
});
