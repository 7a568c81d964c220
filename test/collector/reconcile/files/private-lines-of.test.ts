/** The lines of a file that are private, and whether it may have any. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  linesWithPrivacy,
  mayHavePrivateLines,
} from '../../../../collector/reconcile/files/private-lines-of.ts';
import { mark } from '../../importers/support/private-family.ts';
import { temporaryDirectory } from '../../support/directory.ts';

const directory = temporaryDirectory();

function written(text: string): string {
  const path = join(mkdtempSync(join(directory, 'lines-')), 'file.jsonl');
  writeFileSync(path, text);
  return path;
}

describe('the entries of a file', () => {
  const lines = (...bodies: readonly (object | string)[]) =>
    bodies.map((body) => (typeof body === 'string' ? body : JSON.stringify(body))).join('\n');
  const [pause, resume] = [mark('paused'), mark('resumed')];
  const say = (id: string) => ({ type: 'message', id });
  const told = (text: string) =>
    [...linesWithPrivacy(written(text))].map(
      ({ line, taken, isPaused }) => `${line.id ?? line.type} ${taken}${isPaused ? ' paused' : ''}`,
    );

  it('are told with what is private of them', () => {
    expect(told(lines(say('a'), pause, say('b'), resume, say('c')))).toEqual([
      'a open',
      'custom open paused',
      'b private paused',
      'custom resumed',
      'c open',
    ]);
  });

  it.each<[what: string, line: object | string]>([
    ['a header', { type: 'session', id: 's' }],
    ['a title', { type: 'title', title: 't' }],
    ['a damaged line', '{"type":"mess'],
    ['a list', '[1]'],
    ['null', 'null'],
    ['a blank line', ''],
  ])('are told without %s', (_what, line) => {
    expect(told(lines(line, say('a'), line, pause, line, say('b')))).toEqual([
      'a open',
      'custom open paused',
      'b private paused',
    ]);
  });

  it('are none where the file is gone', () => {
    expect([...linesWithPrivacy(join(directory, 'gone.jsonl'))]).toEqual([]);
  });
});

describe('the name of our entries', () => {
  const name = 'pi-ledger.recording';
  const block = 1024 * 1024;
  const overlap = name.length;

  it.each([
    ['at the beginning', 0],
    ['where what is read first ends', block],
    ['a byte behind that', block + 1],
    ['over that end', block + overlap - 5],
    ['where the second part ends', 2 * block + 1],
    ['in the third part', 2 * block + overlap + 100],
  ])('is found anywhere in a file: %s', (_where, from) => {
    expect(mayHavePrivateLines(written(`${'x'.repeat(from)}${name}\n`))).toBe(true);
  });

  it.each([
    ['empty', 0],
    ['short', 100],
    ['just as long as what is read at once', block + overlap],
    ['longer', 2 * block + overlap],
  ])('is not in a file that is %s', (_what, length) => {
    expect(mayHavePrivateLines(written('x'.repeat(length)))).toBe(false);
  });

  it('is not in what was read before: a shorter rest leaves nothing of that', () => {
    const [half, rest] = [name.slice(0, 9), name.slice(9)];
    const filled = `${'x'.repeat(overlap)}${rest}`.padEnd(block + overlap - half.length, 'x');
    expect(mayHavePrivateLines(written(`${filled}${half}`))).toBe(false);
  });

  it('is not in a file that is gone, nor in a directory', () => {
    expect(mayHavePrivateLines(join(directory, 'gone.jsonl'))).toBe(false);
    expect(mayHavePrivateLines(directory)).toBe(false);
  });
});
