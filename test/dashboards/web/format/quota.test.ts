import { expect, it } from 'vitest';
import { fullWords } from '../../../../dashboards/web/format/quota.ts';

const fullAt = '2026-11-22T20:10:00.000Z';
const clock = (iso: string) => iso.slice(11, 16);

it.each([
  ['2026-11-22T20:09:59.999Z', 'full 20:10'],
  ['2026-11-22T20:10:00.000Z', 'likely full since 20:10'],
  ['2026-11-22T20:30:00.000Z', 'likely full since 20:10'],
])('a window that is full at its rate, seen at %s', (now, words) => {
  expect(fullWords(fullAt, Date.parse(now), clock)).toBe(words);
});
