import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLongLine, restoreLengths } from '../../../collector/importers/long-line.ts';

const mark = 'cut 5e1c ';

function cut(bytes: Buffer, at: readonly number[] = []): Buffer | null {
  const line = createLongLine(mark);
  const ends = [...at.map((end) => Math.min(end, bytes.length)).sort((left, right) => left - right), bytes.length];
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
  .map(([before, times, after]) => before.repeat(times % 50) + 'é"\\\n\u{1f600}x'.charAt(times % 7).repeat(times) + after);
const json = fc.anything({ values: [text, fc.integer(), fc.boolean()], key: fc.constantFrom('a', 'content', 'd'), maxDepth: 3 });

describe('a line whose long texts are cut', () => {
  it('says what it said: all but the ends of long texts, whose lengths stay', () => {
    fc.assert(
      fc.property(json, fc.array(fc.nat(20_000)), (value, at) => {
        const said = JSON.stringify({ value });
        expect(shortened(read(said, at))).toEqual(shortened(JSON.parse(said)));
      }),
    );
  });

  it('takes little memory, however long it is', () => {
    const said = JSON.stringify({ data: Array.from({ length: 400 }, () => 'x'.repeat(50_000)), usage: { input: 1 } });
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
      const value = JSON.parse(cut(Buffer.from(JSON.stringify({ message: { usage } })))?.toString() ?? '');
      expect(restoreLengths(value, mark)).toBe(false);
    }
    const value = JSON.parse(cut(Buffer.from(JSON.stringify({ usage: long, content: long })))?.toString() ?? '');
    expect(restoreLengths(value, mark)).toBe(true);
  });
});

/** The beginning and length of each text. Names of members are all short here. */
function shortened(value: unknown): unknown {
  if (typeof value === 'string') return [value.slice(0, 340), value.length];
  if (Array.isArray(value)) return value.map(shortened);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, shortened(member)]));
}
