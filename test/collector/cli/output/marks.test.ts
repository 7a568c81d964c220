/** Terminals without UTF-8 get ASCII only: what the code draws, and what commands print. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { toAscii } from '../../../../collector/cli/output/marks.ts';
import type { CommandLine } from '../../support/command-line.ts';
import { compactedHome } from '../../support/compacted-home.ts';
import { temporaryDirectory } from '../../support/directory.ts';

const collector = new URL('../../../../collector/', import.meta.url).pathname;
const notAscii = /[^\p{ASCII}]/gu;

const directory = temporaryDirectory();
let line: CommandLine;

beforeAll(async () => {
  line = await compactedHome(directory);
});

describe('marks in ASCII', () => {
  it('has a sign for every character in a text of the collector', () => {
    const drawn = readdirSync(collector, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && !/^dist|node_modules/.test(path))
      .flatMap((path) => withoutComments(readFileSync(join(collector, path), 'utf8')))
      .flatMap((text) => text.match(notAscii) ?? []);
    const characters = [...new Set(drawn)];
    expect(characters.length).toBeGreaterThan(20);
    expect(characters.filter((each) => toAscii(each).match(notAscii))).toEqual([]);
  });

  it('keeps the patterns of a composition apart', () => {
    const patterns = ['█', '▒', '═', '░', '▓', '/', '·', '+', 'o'].map(toAscii);
    expect(new Set(patterns).size).toBe(patterns.length);
    expect(patterns.every(({ length }) => length === 1)).toBe(true);
  });

  it.each([
    ['context', 'shop-1'],
    ['context', '01a1fff4-fb9f'],
    ['compactions', 'show', 'shop-1-c1'],
    ['compactions'],
    ['report'],
    ['sessions', '--tree'],
    ['models'],
    ['quota'],
    ['insights'],
    ['digest', '--month', '2026-11-01'],
  ])('is all that %s %s prints', async (...argv) => {
    const screen = { env: { LC_ALL: 'C' }, columns: 100 };
    const { printed, complained } = await line.runOn(screen, ...argv);
    expect(printed).not.toBe('');
    expect(`${printed}${complained}`.match(notAscii)).toBeNull();
  });
});

function withoutComments(source: string): string {
  return source.replace(/\/\*.*?\*\//gs, '').replace(/(?<![:'"`\w])\/\/ .*$/gm, '');
}
