import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type CompactionSettings,
  compactionLimits,
  defaultSettings,
} from '../../../extension/host/limits.ts';

const set = (values: Partial<CompactionSettings>): CompactionSettings => ({
  ...defaultSettings,
  source: 'host',
  ...values,
});

describe('pi compacts', () => {
  it('above the window less the reserve', () => {
    expect(compactionLimits('pi', defaultSettings, 200_000)).toEqual({
      autoCompaction: true,
      thresholdTokens: 183_616,
      reserveTokens: 16_384,
      keepRecentTokens: 20_000,
      limitsSource: 'default',
    });
    expect(
      compactionLimits('pi', set({ reserveTokens: 1_000, keepRecentTokens: 100 }), 10_000),
    ).toMatchObject({
      thresholdTokens: 9_000,
      keepRecentTokens: 100,
      limitsSource: 'host',
    });
  });

  it('always, if the reserve is larger than the window', () => {
    expect(compactionLimits('pi', defaultSettings, 10_000).thresholdTokens).toBe(0);
  });
});

// Worked out by hand with resolveThresholdTokens of omp 18.2.3.
describe('omp compacts', () => {
  it.each([
    ['less 15 % of a large window', {}, 200_000, 170_000],
    ['less the default reserve where that is more', {}, 100_000, 83_616],
    ['less 15 % of a window that the default reserve would eat up', {}, 10_000, 8_500],
    [
      'less 15 % where the reserve that was chosen is smaller',
      { reserveTokens: 1_000 },
      10_000,
      8_500,
    ],
    [
      'less a reserve that was chosen, however little it leaves',
      { reserveTokens: 9_500 },
      10_000,
      500,
    ],
    ['less 15 % where that reserve would leave nothing', { reserveTokens: 10_000 }, 10_000, 8_500],
    ['at a percentage', { thresholdPercent: 60 }, 200_000, 120_000],
    ['at 99 % at most', { thresholdPercent: 250 }, 200_000, 198_000],
    [
      'at a number of tokens, before all else',
      { thresholdPercent: 60, thresholdTokens: 50_000 },
      200_000,
      50_000,
    ],
    ['below the window at least', { thresholdTokens: 500_000 }, 200_000, 199_999],
    ['as by default where 0 is set', { thresholdPercent: 0, thresholdTokens: 0 }, 200_000, 170_000],
  ])('%s', (_what, values, windowTokens, thresholdTokens) => {
    expect(compactionLimits('omp', set(values), windowTokens).thresholdTokens).toBe(
      thresholdTokens,
    );
  });
});

describe('the threshold', () => {
  it.each(['pi', 'omp'] as const)(
    'of %s is not known without a window, and there is none where it does not compact by itself',
    (host) => {
      expect(compactionLimits(host, defaultSettings, null).thresholdTokens).toBeNull();
      expect(compactionLimits(host, set({ enabled: false }), 200_000)).toMatchObject({
        autoCompaction: false,
        thresholdTokens: null,
      });
    },
  );

  it('lies within the window, whatever is set', () => {
    const count = fc.option(fc.nat(2_000_000), { nil: null });
    const settings = fc.record({
      reserveTokens: count,
      thresholdTokens: count,
      thresholdPercent: count,
    });
    fc.assert(
      fc.property(
        fc.constantFrom('pi' as const, 'omp' as const),
        settings,
        fc.integer({ min: 1, max: 2_000_000 }),
        (host, values, window) => {
          const { thresholdTokens } = compactionLimits(host, set(values), window);
          expect(thresholdTokens).toSatisfy(
            (tokens: number) => Number.isInteger(tokens) && tokens >= 0 && tokens <= window,
          );
        },
      ),
    );
  });
});
