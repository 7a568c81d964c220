import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planWindows, useOf } from '../../../../collector/answers/quota/plan-windows.ts';

const hourMs = 3_600_000;
const span = { sinceMs: 100 * hourMs, untilMs: 200 * hourMs };

/** Hours and shares of a window that ends then. */
function told(endHour: number, ...hours: readonly (readonly [hour: number, share: number])[]) {
  return {
    provider: 'anthropic',
    window: 'unified-5h',
    endMinute: endHour * 60,
    hours: hours.map(([hour, share]) => [hour, share * 1_000_000] as const),
  };
}

const plan = (...windows: readonly ReturnType<typeof told>[]) => planWindows(windows, 5 * hourMs);

describe('windows of a plan', () => {
  it('are one where their ends differ by seconds, as far as any session was told', () => {
    const [window, ...others] = plan(
      told(115, [112, 0.3], [113, 0.2]),
      { ...told(115, [111, 0.1], [114, 0.4]), endMinute: 115 * 60 + 1 },
      { ...told(115, [113, 0.3]), endMinute: 115 * 60 + 5 },
    );
    expect(others).toEqual([]);
    expect(window).toEqual({
      startMs: 110 * hourMs + 5 * 60_000,
      endMs: 115 * hourMs + 5 * 60_000,
      toldMs: 114 * hourMs,
      steps: [
        { atMs: 111 * hourMs, used: 100_000 },
        { atMs: 112 * hourMs, used: 300_000 },
        { atMs: 114 * hourMs, used: 400_000 },
      ],
    });
  });

  it('are others where their ends differ by more', () => {
    const other = { ...told(115, [112, 0.2]), endMinute: 115 * 60 + 6 };
    expect(plan(told(115, [112, 0.3]), other)).toHaveLength(2);
  });
});

describe('what was used of them', () => {
  it('is the sum of the most of each, and how many were full', () => {
    const windows = plan(told(115, [111, 0.2], [113, 0.75]), told(125, [121, 0.5], [124, 1]));
    expect(useOf(windows, span)).toEqual({
      ...{ windows: 2, used: 1.75, full: 1 },
      ...{ peak: 1, peakAtMs: 124 * hourMs },
    });
  });

  it('counts a window that was full before and still refuses', () => {
    const windows = plan(told(110, [98, 1], [104, 1]), told(108, [101, 0.25]));
    expect(useOf(windows, span)).toMatchObject({ windows: 2, used: 0.25, full: 1, peak: 1.25 });
  });

  it('is nothing where all was used before or later', () => {
    const windows = plan(told(101, [98, 0.5], [99, 0.6]), told(204, [200, 0.5]));
    expect(useOf(windows, span)).toBeNull();
  });

  it('is what was added within the time, of windows that were open before or are after', () => {
    const windows = plan(told(102, [98, 0.25], [101, 0.75]), told(203, [199, 0.5], [201, 0.75]));
    expect(useOf(windows, span)).toMatchObject({ windows: 2, used: 1, peak: 0.75 });
  });

  it('is at its most where windows of several plans are open', () => {
    const windows = [
      ...plan(told(115, [111, 0.5], [112, 0.75])),
      ...plan(told(116, [112, 0.5], [113, 0.5])),
      ...plan(told(118, [115, 0.75])),
    ];
    expect(useOf(windows, span)).toMatchObject({ peak: 1.25, peakAtMs: 112 * hourMs });
  });

  it('is not at its most where the next window begins within the hour in which one ends', () => {
    const first = { ...told(115, [112, 0.75]), endMinute: 115 * 60 + 30 };
    const next = { ...told(120, [115, 0.5]), endMinute: 120 * 60 + 31 };
    expect(useOf(plan(first, next), span)).toMatchObject({ peak: 0.75 });
  });

  it('counts what was used before for what is open at the beginning', () => {
    const windows = [
      ...plan(told(103, [99, 0.75])),
      ...plan(told(104, [100, 0.5])),
      ...plan(told(100, [97, 1])),
    ];
    expect(useOf(windows, span)).toMatchObject({
      ...{ windows: 1, used: 0.5, full: 0 },
      ...{ peak: 1.25, peakAtMs: span.sinceMs },
    });
  });

  it('is the same as counted hour by hour', () => {
    const window = fc
      .record({
        end: fc.integer({ min: 95, max: 208 }),
        hours: fc.array(
          fc.tuple(fc.integer({ min: 1, max: 5 }), fc.constantFrom(0.125, 0.25, 0.5, 1)),
          {
            minLength: 1,
          },
        ),
      })
      .map(({ end, hours }) =>
        told(end, ...hours.map(([ago, share]) => [end - ago, share] as const)),
      );
    fc.assert(
      fc.property(fc.array(window), (windows) => {
        // Each is a plan of its own.
        const given = windows.flatMap((each) => plan(each));
        expect(useOf(given, span)?.peak ?? 0).toBe(
          useOf(given, span) === null ? 0 : peakByHour(windows),
        );
      }),
    );
  });
});

/** Windows begin and end with an hour here. */
function peakByHour(windows: readonly ReturnType<typeof told>[]): number {
  let peak = 0;
  for (let hour = 100; hour < 200; hour += 1) {
    const open = windows.filter(({ endMinute }) => endMinute > hour * 60);
    const used = open.map(({ hours }) =>
      Math.max(0, ...hours.filter(([at]) => at <= hour).map(([, millionths]) => millionths)),
    );
    peak = Math.max(peak, used.reduce((sum, each) => sum + each, 0) / 1_000_000);
  }
  return peak;
}
