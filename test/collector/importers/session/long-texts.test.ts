/** Long lines whose texts are longer than all that may be kept of a line. */
import { expect, it } from 'vitest';
import {
  createLongLine,
  restoreLengths,
} from '../../../../collector/importers/session/long-line.ts';

const mark = 'cut 5e1c ';

it('a text longer than all that may be kept is cut like any other', () => {
  const line = createLongLine(mark, {
    stringBytesMax: { first: 8, later: 4 },
    firstBytes: 64,
    keptBytesMax: 128,
    valuesMax: 100,
  });
  line.add(Buffer.from(`{"data":"${'x'.repeat(1_000)}","usage":{"input":1}}`));
  expect(line.end()?.toString()).toBe(`{"data":"xxxxxxxx${mark}992","usage":{"input":1}}`);
});

it('a text of which nothing is left has its length back', () => {
  const value = [`${mark}3`];
  expect(restoreLengths(value, mark)).toBe(true);
  expect(value).toEqual(['   ']);
});
