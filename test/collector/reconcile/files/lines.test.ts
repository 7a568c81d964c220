/**
 * How reconcile splits a file into lines: no byte of a possible figure is lost, whatever the
 * length.
 */
import { closeSync, mkdtempSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type FileLine, linesIn } from '../../../../collector/reconcile/files/lines.ts';
import { temporaryDirectory } from '../../support/directory.ts';

const directory = temporaryDirectory();
const MiB = 1024 * 1024;

function linesOf(text: string | Buffer): FileLine[] {
  const path = join(mkdtempSync(join(directory, 'lines-')), 'file');
  writeFileSync(path, text);
  const descriptor = openSync(path, 'r');
  try {
    return [...linesIn(descriptor)];
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
    ['longer than what is read at once', `${'x'.repeat(999)}\n`.repeat(1_600)],
    ['longer than that, without an end', `${'x'.repeat(1_001)}\n`.repeat(1_600).slice(0, -1)],
    ['whose line ends where a block does', `${'x'.repeat(MiB - 1)}\n${'y'.repeat(5)}\n`],
    ['whose line begins with a block', `${'x'.repeat(MiB)}\n${'y'.repeat(5)}\n`],
    [
      'whose last block ends where a line of the block before did',
      `${'x'.repeat(100)}\n${'y'.repeat(MiB - 101)}${'z'.repeat(100)}`,
    ],
    ['of one line over several blocks', `${'x'.repeat(3 * MiB)}\nend\n`],
  ])('%s is split into its lines', (_what, text) => expectSplit(text));

  it('may begin with a byte order mark', () => {
    expect(linesOf('\ufeffone\n')).toEqual([{ number: 1, text: 'one', hasEnd: true }]);
  });
});

describe('a line of more than 4 MiB', () => {
  /** JSON with these members and this many bytes in total. */
  function lineOf(members: Record<string, string>, bytes: number): string {
    const text = `{${Object.entries(members)
      .map(([name, value]) => `"${name}":${value}`)
      .join()},"filler":"`;
    return `${text}${'f'.repeat(bytes - text.length - 2)}"}`;
  }
  const quoted = (text: string) => `"${text}"`;
  const long = quoted('x'.repeat(2_000));
  const kept = quoted('x'.repeat(1_500));

  it('has its long texts cut; one that is a byte shorter has not', () => {
    const [whole, cut] = [lineOf({ a: long }, 4 * MiB), lineOf({ a: long }, 4 * MiB + 1)];
    expect(linesOf(`${whole}\n`)[0]?.text === whole).toBe(true);
    expect(linesOf(`${cut}\n`)[0]?.text).toBe(`{"a":${kept},"filler":"${'f'.repeat(1_500)}"}`);
  });

  it.each([
    ['a short one', quoted('short'), quoted('short')],
    ['nothing', quoted(''), quoted('')],
    ['one of 1,500 bytes', kept, kept],
    ['one of a byte more', quoted('x'.repeat(1_501)), kept],
    ['quotes and backslashes', quoted('a\\"b\\\\'), quoted('a\\"b\\\\')],
    ['a backslash at its end', quoted(`${'x'.repeat(1_600)}\\\\`), kept],
    [
      'a quote where it is cut',
      quoted(`${'x'.repeat(1_499)}\\"yyy`),
      quoted(`${'x'.repeat(1_499)}\\"`),
    ],
    ['a quote behind where it is cut', quoted(`${'x'.repeat(1_500)}\\"yyy\\"`), kept],
    [
      'a code where it is cut',
      quoted(`${'x'.repeat(1_499)}\\u00e9yyy`),
      quoted(`${'x'.repeat(1_499)}\\u00e9`),
    ],
    ['a code behind where it is cut', quoted(`${'x'.repeat(1_500)}\\u00e9\\u00e9`), kept],
    ['a code within', quoted('a\\u00e9b'), quoted('a\\u00e9b')],
    ['a quote right behind a code', quoted('a\\u00e9'), quoted('a\\u00e9')],
    ['an escaped letter', quoted('a\\nb'), quoted('a\\nb')],
    ['brackets and commas', quoted('[{,]}'), quoted('[{,]}')],
    ['no text but a number', '12345.678', '12345.678'],
    [
      'more figures than are kept at once',
      `[${'1'.repeat(1.5 * MiB)}]`,
      `[${'1'.repeat(1.5 * MiB)}]`,
    ],
  ])('keeps of a text what is JSON: %s', (_what, value, left) => {
    const text = linesOf(`${lineOf({ a: value, b: '7' }, 4 * MiB + 9)}\n`)[0]?.text ?? '';
    expect(text.replace(/f{1500}/, '') === `{"a":${left},"b":7,"filler":""}`).toBe(true);
  });

  it('leaves the lines around it as they are', () => {
    const found = linesOf(`first\n${lineOf({ a: long }, 5 * MiB)}\n${'n'.repeat(2_000)}\nlast`);
    expect(found.map(({ number, text, hasEnd }) => [number, text?.length, hasEnd])).toEqual([
      [1, 5, true],
      [2, `{"a":${kept},"filler":""}`.length + 1_500, true],
      [3, 2_000, true],
      [4, 4, false],
    ]);
  });

  it.each([
    ['32 MiB beside its texts', Buffer.alloc(32 * MiB, '1'), false],
    ['a byte more', Buffer.alloc(32 * MiB + 1, '1'), true],
    [
      'two million brackets and commas',
      Buffer.from(`${'[{,'.repeat(600_000)}${'['.repeat(200_000)}${'1'.repeat(3 * MiB)}`),
      false,
    ],
    [
      'a bracket more',
      Buffer.from(`${'[{,'.repeat(600_000)}${'['.repeat(200_001)}${'1'.repeat(3 * MiB)}`),
      true,
    ],
    [
      '... a brace more',
      Buffer.from(`${'[{,'.repeat(600_000)}${'{'.repeat(200_001)}${'1'.repeat(3 * MiB)}`),
      true,
    ],
    [
      '... a comma more',
      Buffer.from(`${'[{,'.repeat(600_000)}${','.repeat(200_001)}${'1'.repeat(3 * MiB)}`),
      true,
    ],
    ['any number of them in a text', Buffer.from(`"${',[{'.repeat(2 * MiB)}"`), false],
  ])('may have %s', (_what, line, isTooMuch) => {
    const [found, next] = linesOf(Buffer.concat([line, Buffer.from('\nnext\n')]));
    expect(found).toMatchObject({ number: 1, hasEnd: true });
    expect(found?.text === null).toBe(isTooMuch);
    expect(next).toEqual({ number: 2, text: 'next', hasEnd: true });
  });
});
