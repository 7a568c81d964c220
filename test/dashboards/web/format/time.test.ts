import { expect, it } from 'vitest';
import { formatDuration } from '../../../../dashboards/web/format/time.ts';

const minuteMs = 60_000;

it.each([
  [999, '999 ms'],
  [9_000, '9.0 s'],
  [59_960, '1 min'],
  [95 * minuteMs, '1 h 35'],
  [47 * 60 * minuteMs, '47 h 00'],
  [48 * 60 * minuteMs, '2 days'],
  [745 * 60 * minuteMs, '31 days'],
])('%i ms are %s', (ms, words) => {
  expect(formatDuration(ms)).toBe(words);
});
