import { expect, it } from 'vitest';
import { percentileText } from '../../../../collector/cli/output/percentiles.ts';

it.each([
  [null, 'n/a'],
  [{ ms: 0.2, is: 'interpolated' }, '~0 ms'],
  [{ ms: 812.4, is: 'interpolated' }, '~812 ms'],
  [{ ms: 999.6, is: 'interpolated' }, '~1.0 s'],
  [{ ms: 9_130.5, is: 'interpolated' }, '~9.1 s'],
  [{ ms: 9_960, is: 'interpolated' }, '~10 s'],
  [{ ms: 31_400, is: 'interpolated' }, '~31 s'],
  [{ ms: 81_920, is: 'at least' }, '≥ 1:21 min'],
  [{ ms: 409_600, is: 'at least' }, '≥ 6:49 min'],
] as const)('a percentile says how it is known: %j is %s', (percentile, text) => {
  expect(percentileText(percentile)).toBe(text);
});
