/** What the prompt cache saved, by the hosts' own figures. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCacheFigures } from '../../../../collector/answers/spend/cache-figures.ts';
import { makeReport } from '../../../../collector/answers/usage/report.ts';
import type { SumRow } from '../../../../collector/views/views.ts';

const sum = (dimensions: Record<string, string>, measures: Record<string, bigint>): SumRow => ({
  dimensions: {
    provider: 'anthropic',
    model: 'm',
    kind: 'turn',
    billing: 'metered',
    ...dimensions,
  },
  measures,
});

/** $3 a million of input, $0.30 of reads, $3.75 of writes. */
const turns = sum(
  { costSource: 'catalog' },
  {
    inputTokens: 1_000n,
    inputNanoUsd: 3_000_000n,
    cacheReadTokens: 10_000n,
    cacheReadNanoUsd: 3_000_000n,
    cacheWriteTokens: 2_000n,
    cacheWriteNanoUsd: 7_500_000n,
    nanoUsd: 13_500_000n,
  },
);

const figures = async (sums: readonly SumRow[]) => (await createCacheFigures(sums)).total;

describe('what the cache saved', () => {
  it('is what reads would have cost as input, and what writes cost beyond it', async () => {
    expect((await figures([turns])).metered).toEqual({
      readsSavedNanoUsd: '27000000',
      writesExtraNanoUsd: '1500000',
      leftOutTokens: 0,
    });
  });

  it('is not known where no input was priced: its tokens are counted, it is not zero', async () => {
    const unpriced = sum({ costSource: 'unpriced' }, { inputTokens: 5n, cacheReadTokens: 700n });
    const whole = sum(
      { kind: 'tool', costSource: 'catalog' },
      { cacheReadTokens: 9n, nanoUsd: 4n },
    );
    expect((await figures([unpriced, whole])).metered).toEqual({
      readsSavedNanoUsd: null,
      writesExtraNanoUsd: null,
      leftOutTokens: 709,
    });
    expect((await figures([turns, unpriced, whole])).metered).toEqual({
      ...(await figures([turns])).metered,
      leftOutTokens: 709,
    });
  });

  it('is by billing, and by the price of each model', async () => {
    const cheap = sum(
      { model: 'c', billing: 'subscription', costSource: 'catalog' },
      { inputTokens: 1n, inputNanoUsd: 2n, cacheReadTokens: 10n, cacheReadNanoUsd: 5n },
    );
    expect(await figures([turns, cheap])).toMatchObject({
      metered: (await figures([turns])).metered,
      subscription: { readsSavedNanoUsd: '15', writesExtraNanoUsd: '0', leftOutTokens: 0 },
      unknown: { readsSavedNanoUsd: '0', leftOutTokens: 0 },
    });
  });

  it('adds up to its total, whatever the report is by', async () => {
    const amount = fc.bigInt({ min: 0n, max: 2n ** 50n });
    const any = fc
      .record({
        model: fc.constantFrom('a', 'b'),
        day: fc.constantFrom('2026-11-01', '2026-11-02'),
        billing: fc.constantFrom('metered', 'subscription', 'unknown'),
        inputTokens: amount,
        inputNanoUsd: amount,
        cacheReadTokens: amount,
        cacheReadNanoUsd: amount,
      })
      .map(({ model, day, billing, ...measures }) => sum({ model, day, billing }, measures));
    await fc.assert(
      fc.asyncProperty(fc.array(any), async (sums) => {
        const { rows, total } = await makeReport(['model', 'day'], sums);
        for (const billing of ['metered', 'subscription', 'unknown'] as const) {
          const saved = rows.map(({ cache }) => BigInt(cache?.[billing].readsSavedNanoUsd ?? 0));
          expect(saved.reduce((all, each) => all + each, 0n)).toBe(
            BigInt(total.cache?.[billing].readsSavedNanoUsd ?? 0),
          );
        }
        expect((await makeReport(['day'], sums)).total.cache).toBeUndefined();
      }),
    );
  });
});
