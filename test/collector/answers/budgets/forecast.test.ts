import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forecastOf, reachedAtMs } from '../../../../collector/answers/budgets/forecast.ts';
import { addDays } from '../../../../collector/answers/budgets/periods.ts';

const monday = '2026-11-23';
const startOf = (day: string) => Date.parse(`${day}T00:00:00Z`);

/** So much on each of the days before today, the latest first. */
function history(amounts: readonly number[], today = monday): Map<string, bigint> {
  return new Map(
    amounts
      .map((amount, index) => [addDays(today, -1 - index), BigInt(amount)] as const)
      .filter(([, amount]) => amount > 0n),
  );
}

describe('the forecast of a budget', () => {
  it('is the same again where every day was the same', () => {
    const days = history(Array.from({ length: 28 }, () => 10));
    const forecast = forecastOf({ days, today: monday, lastDay: '2026-11-30', used: 220n });
    expect(forecast).toMatchObject({ low: 300n, middle: 300n, high: 300n });
    expect(forecast?.rest.map(({ day }) => day)).toEqual([
      ...['2026-11-23', '2026-11-24', '2026-11-25', '2026-11-26'],
      ...['2026-11-27', '2026-11-28', '2026-11-29', '2026-11-30'],
    ]);
  });

  it('is the worked example of docs/budgets.md', () => {
    // The four Mondays, Tuesdays and so on before, the latest first; weekends had nothing.
    const weekday = (day: string, amounts: readonly bigint[]) =>
      amounts.map((amount, index) => [addDays(day, -7 * (index + 1)), amount] as const);
    const days = new Map([
      ...weekday('2026-11-28', [6_000_000_000n, 9_000_000_000n, 4_000_000_000n, 7_000_000_000n]),
      ...weekday('2026-11-30', [8_000_000_000n, 2_000_000_000n, 5_000_000_000n, 1_000_000_000n]),
      ['2026-11-28', 4_000_000_000n] as const,
    ]);
    const question = { days, today: '2026-11-28', lastDay: '2026-11-30', used: 171_553_300_000n };
    const forecast = forecastOf(question);
    expect(forecast?.rest).toEqual([
      { day: '2026-11-28', low: 0n, middle: 2_500_000_000n, high: 5_000_000_000n },
      { day: '2026-11-29', low: 0n, middle: 0n, high: 0n },
      { day: '2026-11-30', low: 1_000_000_000n, middle: 3_500_000_000n, high: 8_000_000_000n },
    ]);
    expect(forecast).toMatchObject({
      low: 172_553_300_000n,
      middle: 177_553_300_000n,
      high: 184_553_300_000n,
    });
    if (forecast === null) throw new Error('no forecast');
    const reached = reachedAtMs({
      ...{ forecast, used: question.used, limit: 175_803_300_000n },
      ...{ nowMs: Date.parse('2026-11-28T18:00:00Z'), startOf },
    });
    expect(new Date(reached ?? 0).toISOString()).toBe('2026-11-30T12:00:00.000Z');
  });

  it('needs two of each weekday, and counts no day before the first one with spend', () => {
    const today = { today: monday, lastDay: monday, used: 0n };
    const fromDay = (back: number) => new Map([[addDays(monday, -back), 8n]]);
    expect(forecastOf({ days: new Map(), ...today })).toBeNull();
    expect(forecastOf({ days: fromDay(13), ...today })).toBeNull();
    expect(forecastOf({ days: fromDay(29), ...today })).toBeNull();
    expect(forecastOf({ days: fromDay(14), ...today })).toMatchObject({ middle: 4n, high: 8n });
    expect(forecastOf({ days: fromDay(21), ...today })).toMatchObject({ middle: 0n, high: 8n });
  });

  it('expects nothing more of a day that had more than the others already', () => {
    const days = history(Array.from({ length: 28 }, () => 10)).set(monday, 25n);
    expect(forecastOf({ days, today: monday, lastDay: monday, used: 25n })).toMatchObject({
      low: 25n,
      middle: 25n,
      high: 25n,
    });
  });

  it('is never below what is used, and its range holds its middle', () => {
    const amounts = fc.array(fc.nat({ max: 1_000 }), { minLength: 28, maxLength: 28 });
    fc.assert(
      fc.property(amounts, fc.nat({ max: 500 }), fc.nat({ max: 40 }), (past, spent, ahead) => {
        const days = history([...past.slice(0, 27), 1]).set(monday, BigInt(spent));
        const used = BigInt(spent);
        const forecast = forecastOf({ days, today: monday, lastDay: addDays(monday, ahead), used });
        if (forecast === null) throw new Error('no forecast');
        const { low, middle, high } = forecast;
        expect(used <= low && low <= middle && middle <= high).toBe(true);
        const question = { forecast, used, nowMs: startOf(monday), startOf };
        const reached = reachedAtMs({ ...question, limit: middle });
        expect(reached === null).toBe(middle === used);
        expect(reachedAtMs({ ...question, limit: middle + 1n })).toBeNull();
      }),
    );
  });
});
