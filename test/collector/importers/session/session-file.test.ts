import { closeSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type LinesOptions,
  linesOf,
  readChunks,
  type TextLine,
} from '../../../../collector/importers/session/session-file.ts';
import { temporaryDirectory } from '../../support/directory.ts';

const directory = temporaryDirectory();

function split(
  parts: readonly (string | Uint8Array)[],
  options?: LinesOptions,
): readonly TextLine[] {
  return [
    ...linesOf(
      parts.map((part) => Buffer.from(part as string)),
      options,
    ),
  ];
}

const texts = (lines: readonly TextLine[]) => lines.map(({ text }) => text);

describe('the lines of a session file', () => {
  it('are the same however the bytes come, and every byte belongs to one', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'grapheme' })),
        fc.array(fc.nat(200)),
        (written, cuts) => {
          const bytes = Buffer.from(written.join('\n'));
          const at = [
            0,
            ...cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b),
            bytes.length,
          ];
          const chunks = at.slice(1).map((end, index) => bytes.subarray(at[index], end));
          const lines = [...linesOf(chunks)];
          expect(texts(lines).join('\n')).toBe(bytes.toString().replace(/\n$/, ''));
          expect(lines.reduce((sum, line) => sum + line.bytes, 0)).toBe(bytes.length);
          expect(
            lines.every(
              (line, index) =>
                line.offset === (lines[index - 1]?.offset ?? 0) + (lines[index - 1]?.bytes ?? 0),
            ),
          ).toBe(true);
          expect(lines.map(({ number }) => number)).toEqual(lines.map((_, index) => index + 1));
          expect(lines.every(({ cutMark }) => cutMark === null)).toBe(true);
        },
      ),
    );
  });

  it('are numbered on from where reading begins', () => {
    expect(split(['b\nc\n'], { offset: 2, linesBefore: 1 })).toMatchObject([
      { number: 2, offset: 2, bytes: 2, text: 'b' },
      { number: 3, offset: 4, bytes: 2, text: 'c' },
    ]);
  });

  it('say whether the last one has its end', () => {
    expect(split(['a\nhal']).map(({ isFinished }) => isFinished)).toEqual([true, false]);
    expect(split(['a\n']).map(({ isFinished }) => isFinished)).toEqual([true]);
    expect(split([])).toEqual([]);
  });

  it('that are too long are cut, and cost no other line', () => {
    const lines = split(['a\n', '"'.padEnd(6, 'x'), 'x'.repeat(6_000), 'x"\nb\n', 'y'.repeat(11)], {
      lineBytesMax: 10,
    });
    expect(lines.map(({ bytes }) => bytes)).toEqual([2, 6_009, 2, 11]);
    expect(lines.map(({ cutMark }) => cutMark !== null)).toEqual([false, true, false, true]);
    expect(lines[1]?.text?.length).toBeLessThan(2_200);
    expect(texts([...lines].filter(({ number }) => number !== 2))).toEqual([
      'a',
      'b',
      'y'.repeat(11),
    ]);
    for (const parts of [['x'.repeat(10), '\n'], [`${'x'.repeat(10)}\n`]])
      expect(split(parts, { lineBytesMax: 10 })).toMatchObject([
        { text: 'x'.repeat(10), cutMark: null, bytes: 11 },
      ]);
  });

  it('of which too much is left when they are cut have no text, and cost no other line', () => {
    expect(split(['['.repeat(2_000_001), '\nb\n'], { lineBytesMax: 10 })).toMatchObject([
      { number: 1, bytes: 2_000_002, text: null, isUtf8: true, isFinished: true },
      { number: 2, offset: 2_000_002, text: 'b', cutMark: null },
    ]);
  });

  it('lose a byte order mark', () => {
    expect(texts(split(['\ufeff{"a":1}\n', 'b\n']))).toEqual(['{"a":1}', 'b']);
  });

  it('that are no UTF-8 say so, and are read as far as they go', () => {
    const lines = split([Uint8Array.of(0x61, 0xff, 0x62, 0x0a), 'ü\n']);
    expect(lines.map(({ text, isUtf8 }) => [text, isUtf8])).toEqual([
      ['a\ufffdb', false],
      ['ü', true],
    ]);
  });

  it('come from a file in chunks that are reused', () => {
    const path = join(directory, 'file');
    const written = Array.from({ length: 500 }, (_, index) => `${index} ${'é'.repeat(index)}`);
    writeFileSync(path, written.join('\n'));
    const descriptor = openSync(path, 'r');
    expect(texts([...linesOf(readChunks(descriptor, 0, 64))])).toEqual(written);
    expect(
      texts([...linesOf(readChunks(descriptor, 2, 64), { offset: 2, linesBefore: 1 })])[0],
    ).toBe(written[0]?.slice(2));
    closeSync(descriptor);
  });
});
