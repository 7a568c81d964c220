import { describe, expect, it } from 'vitest';
import { createThresholds } from '../../../../collector/answers/context/threshold.ts';

describe('the threshold', () => {
  const at = '2026-11-22T09:00:00.000Z';
  const window = (windowTokens: number) => [
    { provider: 'p', model: 'm', windowTokens, firstAt: at, lastAt: at },
  ];
  const asked = { time: at, provider: 'p', model: 'm' };

  it.each([
    ['pi', 200_000, 183_616],
    ['omp', 200_000, 170_000],
    ['omp', 100_000, 83_616],
    // 16,384 would leave less than 15% of the window, so 15% are reserved.
    ['omp', 16_384, 13_927],
    ['pi', 10_000, 0],
  ] as const)(
    'of %s with a window of %i is %i by default',
    (host, windowTokens, thresholdTokens) => {
      expect(
        createThresholds({ windows: window(windowTokens), limits: [] }, host)(asked),
      ).toMatchObject({
        thresholdTokens,
        source: 'default',
      });
    },
  );

  it('is what the host says it is, and none where the user has turned compaction off', () => {
    const told = {
      time: at,
      windowTokens: 200_000,
      autoCompaction: true,
      thresholdTokens: 120_000,
      reserveTokens: 30_000,
      keepRecentTokens: 1,
    };
    const thresholdOf = (autoCompaction: boolean) =>
      createThresholds(
        { windows: window(200_000), limits: [{ ...told, autoCompaction, source: 'host' }] },
        'omp',
      )(asked);
    expect(thresholdOf(true)).toEqual({
      windowTokens: 200_000,
      reserveTokens: 30_000,
      thresholdTokens: 120_000,
      source: 'host',
    });
    expect(thresholdOf(false)?.thresholdTokens).toBeNull();
  });
});
