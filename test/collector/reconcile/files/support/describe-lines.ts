/**
 * How reconcile splits a file into lines: no byte of a possible figure is lost, whatever the
 * length. The same tests at any bounds.
 */
import { closeSync, mkdtempSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type FileLine,
  type LineBounds,
  linesIn,
} from '../../../../../collector/reconcile/files/lines.ts';
import { temporaryDirectory } from '../../../support/directory.ts';

export function describeLines(bounds: LineBounds): void {
  const directory = temporaryDirectory();
  const { blockBytes: block, wholeBytesMax: whole, textBytesKept } = bounds;
  const { squeezedBytesMax, bracketsMax } = bounds;
  /** Of lines of this length, so many are more than a block. */
  const short = Math.floor(block / 10);
  const times = 16;

  function linesOf(text: string | Buffer): FileLine[] {
    const path = join(mkdtempSync(join(directory, 'lines-')), 'file');
    writeFileSync(path, text);
    const descriptor = openSync(path, 'r');
    try {
      return [...linesIn(descriptor, bounds)];
    } finally {
      closeSync(descriptor);
    }
  }

  /** The result of `split`, which would hold the whole file. */
  function expectSplit(text: string): void {
    const expected = text.split('\n');
    const hasRest = expected.at(-1) !== '';
    const wanted = (hasRest ? expected : expected.slice(0, -1)).map((line, index) => ({
      number: index + 1,
      text: line,
      hasEnd: index < expected.length - 1,
    }));
    const found = linesOf(text);
    expect(found.length).toBe(wanted.length);
    for (const [index, line] of found.entries()) {
      expect({ ...line, text: line.text === wanted[index]?.text }).toEqual({
        ...wanted[index],
        text: true,
      });
    }
  }

  describe('a file', () => {
    it.each([
      ['of nothing', ''],
      ['of one line', 'one\n'],
      ['of a line without its end', 'one'],
      ['whose last line is being written', 'one\ntwo'],
      ['that begins with a blank line', '\none\n'],
      ['of blank lines', '\n\n\n'],
      ['of letters that take several bytes', 'é\n😀\n'],
      ['longer than what is read at once', `${'x'.repeat(short)}\n`.repeat(times)],
      ['longer than that, without an end', `${'x'.repeat(short + 2)}\n`.repeat(times).slice(0, -1)],
      ['whose line ends where a block does', `${'x'.repeat(block - 1)}\n${'y'.repeat(5)}\n`],
      ['whose line begins with a block', `${'x'.repeat(block)}\n${'y'.repeat(5)}\n`],
      [
        'whose last block ends where a line of the block before did',
        `${'x'.repeat(short)}\n${'y'.repeat(block - (short + 1))}${'z'.repeat(short)}`,
      ],
      ['of one line over several blocks', `${'x'.repeat(3 * block)}\nend\n`],
    ])('%s is split into its lines', (_what, text) => expectSplit(text));

    it('may begin with a byte order mark', () => {
      expect(linesOf('\ufeffone\n')).toEqual([{ number: 1, text: 'one', hasEnd: true }]);
    });
  });

  describe('a longer line than is kept whole', () => {
    /** JSON with these members and this many bytes in total. */
    function lineOf(members: Record<string, string>, bytes: number): string {
      const text = `{${Object.entries(members)
        .map(([name, value]) => `"${name}":${value}`)
        .join()},"filler":"`;
      return `${text}${'f'.repeat(bytes - text.length - 2)}"}`;
    }
    const quoted = (text: string) => `"${text}"`;
    const long = quoted('x'.repeat(textBytesKept + 500));
    const kept = quoted('x'.repeat(textBytesKept));

    /** So many that one more is too much, and `more`. */
    function brackets(more: string): Buffer {
      const all = '[{,'.repeat(Math.ceil(bracketsMax / 3)).slice(0, bracketsMax);
      return Buffer.from(`${all}${more}${'1'.repeat(whole)}`);
    }

    it('has its long texts cut; one that is a byte shorter has not', () => {
      const [asItIs, cut] = [lineOf({ a: long }, whole), lineOf({ a: long }, whole + 1)];
      expect(linesOf(`${asItIs}\n`)[0]?.text === asItIs).toBe(true);
      expect(linesOf(`${cut}\n`)[0]?.text).toBe(
        `{"a":${kept},"filler":"${'f'.repeat(textBytesKept)}"}`,
      );
    });

    it.each([
      ['a short one', quoted('short'), quoted('short')],
      ['nothing', quoted(''), quoted('')],
      ['one of as many bytes as are kept', kept, kept],
      ['one of a byte more', quoted('x'.repeat(textBytesKept + 1)), kept],
      ['quotes and backslashes', quoted('a\\"b\\\\'), quoted('a\\"b\\\\')],
      ['a backslash at its end', quoted(`${'x'.repeat(textBytesKept + 100)}\\\\`), kept],
      [
        'a quote where it is cut',
        quoted(`${'x'.repeat(textBytesKept - 1)}\\"yyy`),
        quoted(`${'x'.repeat(textBytesKept - 1)}\\"`),
      ],
      ['a quote behind where it is cut', quoted(`${'x'.repeat(textBytesKept)}\\"yyy\\"`), kept],
      [
        'a code where it is cut',
        quoted(`${'x'.repeat(textBytesKept - 1)}\\u00e9yyy`),
        quoted(`${'x'.repeat(textBytesKept - 1)}\\u00e9`),
      ],
      ['a code behind where it is cut', quoted(`${'x'.repeat(textBytesKept)}\\u00e9\\u00e9`), kept],
      ['a code within', quoted('a\\u00e9b'), quoted('a\\u00e9b')],
      ['a quote right behind a code', quoted('a\\u00e9'), quoted('a\\u00e9')],
      ['an escaped letter', quoted('a\\nb'), quoted('a\\nb')],
      ['brackets and commas', quoted('[{,]}'), quoted('[{,]}')],
      ['no text but a number', '12345.678', '12345.678'],
      [
        'more figures than are kept at once',
        `[${'1'.repeat(1.5 * block)}]`,
        `[${'1'.repeat(1.5 * block)}]`,
      ],
    ])('keeps of a text what is JSON: %s', (_what, value, left) => {
      const text = linesOf(`${lineOf({ a: value, b: '7' }, whole + 1.6 * block)}\n`)[0]?.text ?? '';
      expect(
        text.replace('f'.repeat(textBytesKept), '') === `{"a":${left},"b":7,"filler":""}`,
      ).toBe(true);
    });

    it('leaves the lines around it as they are', () => {
      const found = linesOf(
        `first\n${lineOf({ a: long }, whole + block)}\n${'n'.repeat(textBytesKept + 500)}\nlast`,
      );
      expect(found.map(({ number, text, hasEnd }) => [number, text?.length, hasEnd])).toEqual([
        [1, 5, true],
        [2, `{"a":${kept},"filler":""}`.length + textBytesKept, true],
        [3, textBytesKept + 500, true],
        [4, 4, false],
      ]);
    });

    it.each([
      ['as much as is kept beside its texts', Buffer.alloc(squeezedBytesMax, '1'), false],
      ['a byte more', Buffer.alloc(squeezedBytesMax + 1, '1'), true],
      ['as many brackets and commas as are read', brackets(''), false],
      ['a bracket more', brackets('['), true],
      ['... a brace more', brackets('{'), true],
      ['... a comma more', brackets(','), true],
      ['any number of them in a text', Buffer.from(`"${',[{'.repeat(bracketsMax)}"`), false],
    ])('may have %s', (_what, line, isTooMuch) => {
      const [found, next] = linesOf(Buffer.concat([line, Buffer.from('\nnext\n')]));
      expect(found).toMatchObject({ number: 1, hasEnd: true });
      expect(found?.text === null).toBe(isTooMuch);
      expect(next).toEqual({ number: 2, text: 'next', hasEnd: true });
    });
  });
}
