import { describe, expect, it } from 'vitest';
import { typedPeriod } from '../../../../dashboards/web/app/typed-period.ts';

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
