/** How a line is read that is too long to be held. The same tests at any bounds. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createLongLine,
  type LongLineBounds,
  restoreLengths,
} from '../../../../../collector/importers/session/long-line.ts';

const mark = 'cut 5e1c ';

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

export function describeLongLine(bounds: LongLineBounds): void {
  const { firstBytes, keptBytesMax, valuesMax } = bounds;
  const { first, later } = bounds.stringBytesMax;
  /** Whatever they are: an escaped one takes six bytes. */
  const charsKept = Math.floor(first / 6) - 1;

  function cut(bytes: Buffer, at: readonly number[] = []): Buffer | null {
    const line = createLongLine(mark, bounds);
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

  describe('a line whose long texts are cut', () => {
    it('says what it said: all but the ends of long texts, whose lengths stay', () => {
      fc.assert(
        fc.property(json, fc.array(fc.nat(20_000)), (value, at) => {
          const said = JSON.stringify({ value });
          expect(shortened(read(said, at), charsKept)).toEqual(
            shortened(JSON.parse(said), charsKept),
          );
        }),
      );
    });

    const x = (count: number) => 'x'.repeat(count);

    it.each([
      ['so much of a text is kept', x(first), x(first)],
      ['one more byte is cut', x(first + 1), `${x(first)}${mark}1`],
      ['what is cut is counted', x(first + 2_952), `${x(first)}${mark}2952`],
      ['an escape is whole', `${x(first - 2)}\\n`, `${x(first - 2)}\\n`],
      ['an escape is cut as one', `${x(first - 1)}\\n${x(9)}`, `${x(first - 1)}${mark}10`],
      [
        'a quote that is escaped ends nothing',
        `${x(first - 1)}\\"${x(9)}`,
        `${x(first - 1)}${mark}10`,
      ],
      ['a long escape is cut as one', `${x(first - 4)}\\u00e9${x(9)}`, `${x(first - 4)}${mark}10`],
      ['a long escape is whole', `${x(first - 6)}\\u00e9${x(9)}`, `${x(first - 6)}\\u00e9${mark}9`],
      [
        'a character of two bytes is cut as one',
        `${x(first - 1)}é${x(9)}`,
        `${x(first - 1)}${mark}10`,
      ],
      ['a character of two bytes is whole', `${x(first - 2)}é${x(9)}`, `${x(first - 2)}é${mark}9`],
      [
        'a character of four bytes is two units',
        `${x(first - 3)}\u{1f600}${x(9)}`,
        `${x(first - 3)}${mark}11`,
      ],
      ['a character of three bytes is one', `${x(first - 2)}€${x(9)}`, `${x(first - 2)}${mark}10`],
    ])('is cut between two characters: %s', (_what, before, after) => {
      expect(cut(Buffer.from(`{"a":"${before}","b":"c"}`))?.toString()).toBe(
        `{"a":"${after}","b":"c"}`,
      );
    });

    it('keeps less of each text once much is kept', () => {
      const many = Math.ceil(firstBytes / (first - 45)) + 12;
      const longs = Array.from({ length: many }, () => x(first - 48));
      const kept = JSON.parse(
        cut(Buffer.from(JSON.stringify([...longs, x(later), x(later + 1)])))?.toString() ?? '',
      ) as string[];
      expect(kept.slice(0, many - 20).every(({ length }) => length === first - 48)).toBe(true);
      expect(kept.slice(-2)).toEqual([x(later), `${x(later)}${mark}1`]);
    });

    it('takes little memory, however long it is', () => {
      const count = Math.floor(firstBytes / first / 10);
      const said = JSON.stringify({
        data: Array.from({ length: count }, () => x(25 * first)),
        usage: { input: 1 },
      });
      expect(cut(Buffer.from(said))?.length).toBeLessThan(count * (first + 100));
      expect(read(said)).toMatchObject({ usage: { input: 1 } });
    });

    it.each([',', '[', '{'])('has so many members, of which each begins with %s', (byte) => {
      const rest = '1'.repeat(100);
      expect(cut(Buffer.from(`${byte.repeat(valuesMax)}${rest}`))).toHaveLength(valuesMax + 100);
      expect(cut(Buffer.from(`${byte.repeat(valuesMax + 1)}${rest}`))).toBeNull();
    });

    it('is given up when short texts alone are too much', () => {
      expect(cut(Buffer.from(`[${'"abc",'.repeat(valuesMax + 1)}1]`))).toBeNull();
      expect(
        cut(Buffer.from(`[${`"${x(later)}",`.repeat(Math.ceil(keptBytesMax / later))}1]`)),
      ).toBeNull();
    });

    it('is given up when a usage has a long text: what tells records apart would be lost', () => {
      const long = x(first + 952);
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
}

/** The beginning and length of each text. All names of members are short here. */
function shortened(value: unknown, charsKept: number): unknown {
  const of = (member: unknown) => shortened(member, charsKept);
  if (typeof value === 'string') return [value.slice(0, charsKept), value.length];
  if (Array.isArray(value)) return value.map(of);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, of(member)]));
}
