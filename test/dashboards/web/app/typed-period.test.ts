import { describe, expect, it } from 'vitest';
import {
  isDayBegun,
  nothingFound,
  typedPeriod,
} from '../../../../dashboards/web/app/typed-period.ts';

/** A Sunday. */
const today = '2026-11-22';

describe('a period that is typed', () => {
  it.each([
    ['2026-11-10', '2026-11-10..2026-11-10'],
    ['2026-11-01..2026-11-10', '2026-11-01..2026-11-10'],
    ['2026-11-01 to 2026-11-10', '2026-11-01..2026-11-10'],
    ['2026-02', '2026-02-01..2026-02-28'],
    ['last week', '2026-11-09..2026-11-15'],
    ['This  week', '2026-11-16..2026-11-22'],
    ['14 days', '14d'],
  ])('%s is %s', (text, range) => {
    expect(typedPeriod(text, today)?.range).toBe(range);
  });

  it.each(['', 'shop', '2026-13', '2026-02-30', '2026-11-10..2026-11-01'])('%s is none', (text) => {
    expect(typedPeriod(text, today)).toBeNull();
  });
});

describe('a day that does not exist', () => {
  it.each([
    ['2026-11-31', 'There is no day 2026-11-31.'],
    ['2026-11-01..2026-11-31', 'There is no day 2026-11-31.'],
    ['2026-13', 'There is no month 2026-13.'],
    ['2026-11-10..2026-11-01', 'Nothing found.'],
    ['shop', 'Nothing found.'],
  ])('%s: %s', (text, words) => {
    expect(nothingFound(text)).toBe(words);
  });

  it('is no beginning of an id, nor is what is typed of a day', () => {
    for (const text of ['2026-11-31', '2026-11-10', '2026-11-', '2026-1'])
      expect(isDayBegun(text)).toBe(true);
    for (const text of ['2026', '20261131-0a', '01a2']) expect(isDayBegun(text)).toBe(false);
  });
});
