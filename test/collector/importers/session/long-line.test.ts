import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createLongLine,
  restoreLengths,
} from '../../../../collector/importers/session/long-line.ts';

const mark = 'cut 5e1c ';

function cut(bytes: Buffer, at: readonly number[] = []): Buffer | null {
  const line = createLongLine(mark);
  const ends = [
    ...at.map((end) => Math.min(end, bytes.length)).sort((left, right) => left - right),
    bytes.length,
  ];
  let start = 0;
  for (const end of ends) {
    line.add(bytes.subarray(start, end));
    start = end;
  }
  return line.end();
}

function read(json: string, at: readonly number[] = []): unknown {
  const value = JSON.parse(cut(Buffer.from(json), at)?.toString() ?? 'null');
  expect(restoreLengths(value, mark)).toBe(true);
  return value;
}

const text = fc
  .tuple(fc.string({ unit: 'grapheme' }), fc.nat(3_000), fc.string({ unit: 'binary' }))
  .map(
    ([before, times, after]) =>
      before.repeat(times % 50) + 'é"\\\n\u{1f600}x'.charAt(times % 7).repeat(times) + after,
  );
const json = fc.anything({
  values: [text, fc.integer(), fc.boolean()],
  key: fc.constantFrom('a', 'content', 'd'),
  maxDepth: 3,
});

describe('a line whose long texts are cut', () => {
  it('says what it said: all but the ends of long texts, whose lengths stay', () => {
    fc.assert(
      fc.property(json, fc.array(fc.nat(20_000)), (value, at) => {
        const said = JSON.stringify({ value });
        expect(shortened(read(said, at))).toEqual(shortened(JSON.parse(said)));
      }),
    );
  });

  const x = (count: number) => 'x'.repeat(count);

  it.each([
    ['so much of a text is kept', x(2_048), x(2_048)],
    ['one more byte is cut', x(2_049), `${x(2_048)}${mark}1`],
    ['what is cut is counted', x(5_000), `${x(2_048)}${mark}2952`],
    ['an escape is whole', `${x(2_046)}\\n`, `${x(2_046)}\\n`],
    ['an escape is cut as one', `${x(2_047)}\\n${x(9)}`, `${x(2_047)}${mark}10`],
    ['a quote that is escaped ends nothing', `${x(2_047)}\\"${x(9)}`, `${x(2_047)}${mark}10`],
    ['a long escape is cut as one', `${x(2_044)}\\u00e9${x(9)}`, `${x(2_044)}${mark}10`],
    ['a long escape is whole', `${x(2_042)}\\u00e9${x(9)}`, `${x(2_042)}\\u00e9${mark}9`],
    ['a character of two bytes is cut as one', `${x(2_047)}é${x(9)}`, `${x(2_047)}${mark}10`],
    ['a character of two bytes is whole', `${x(2_046)}é${x(9)}`, `${x(2_046)}é${mark}9`],
    [
      'a character of four bytes is two units',
      `${x(2_045)}\u{1f600}${x(9)}`,
      `${x(2_045)}${mark}11`,
    ],
    ['a character of three bytes is one', `${x(2_046)}€${x(9)}`, `${x(2_046)}${mark}10`],
  ])('is cut between two characters: %s', (_what, before, after) => {
    expect(cut(Buffer.from(`{"a":"${before}","b":"c"}`))?.toString()).toBe(
      `{"a":"${after}","b":"c"}`,
    );
  });

  it('keeps less of each text once eight megabytes are kept', () => {
    const first = Array.from({ length: 4_200 }, () => x(2_000));
    const kept = JSON.parse(
      cut(Buffer.from(JSON.stringify([...first, x(512), x(513)])))?.toString() ?? '',
    ) as string[];
    expect(kept.slice(0, 4_180).every(({ length }) => length === 2_000)).toBe(true);
    expect(kept.slice(-2)).toEqual([x(512), `${x(512)}${mark}1`]);
  });

  it('takes little memory, however long it is', () => {
    const said = JSON.stringify({
      data: Array.from({ length: 400 }, () => 'x'.repeat(50_000)),
      usage: { input: 1 },
    });
    expect(cut(Buffer.from(said))?.length).toBeLessThan(900_000);
    expect(read(said)).toMatchObject({ usage: { input: 1 } });
  });

  it('is given up when short texts alone are too much', () => {
    expect(cut(Buffer.from(`[${'"abc",'.repeat(2_000_001)}1]`))).toBeNull();
    expect(cut(Buffer.from(`[${`"${'a'.repeat(500)}",`.repeat(70_000)}1]`))).toBeNull();
  });

  it('is given up when a usage has a long text: what tells records apart would be lost', () => {
    const long = 'x'.repeat(3_000);
    for (const usage of [{ note: long }, { deep: { list: [long] } }, { [long]: 1 }]) {
      const value = JSON.parse(
        cut(Buffer.from(JSON.stringify({ message: { usage } })))?.toString() ?? '',
      );
      expect(restoreLengths(value, mark)).toBe(false);
    }
    const value = JSON.parse(
      cut(Buffer.from(JSON.stringify({ usage: long, content: long })))?.toString() ?? '',
    );
    expect(restoreLengths(value, mark)).toBe(true);
  });

  it('has its lengths back wherever they stand, but in the figures of a usage', () => {
    const cutText = `ab${mark}3`;
    const value = {
      usage: [cutText],
      list: [[cutText], { usage: { input: 1 } }],
      [cutText]: null,
      whole: 'ab',
    };
    expect(restoreLengths(value, mark)).toBe(true);
    expect(value).toEqual({
      usage: ['ab   '],
      list: [['ab   '], { usage: { input: 1 } }],
      [cutText]: null,
      whole: 'ab',
    });
    expect([
      restoreLengths(null, mark),
      restoreLengths('x', mark),
      restoreLengths([cutText], mark),
    ]).toEqual([true, true, true]);
    for (const usage of [{ a: cutText }, { a: [{ b: cutText }] }, { a: { [cutText]: 1 } }])
      expect(restoreLengths({ message: [{ usage }] }, mark)).toBe(false);
  });
});

/** The beginning and length of each text. All names of members are short here. */
function shortened(value: unknown): unknown {
  if (typeof value === 'string') return [value.slice(0, 340), value.length];
  if (Array.isArray(value)) return value.map(shortened);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, shortened(member)]));
}
