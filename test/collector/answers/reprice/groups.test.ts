import { describe, expect, it } from 'vitest';
import { createGroups, type Tokens } from '../../../../collector/answers/reprice/groups.ts';

const tokens: Tokens = {
  inputTokens: 1,
  outputTokens: 2,
  cacheReadTokens: 3,
  cacheWriteTokens: 4,
  reasoningTokens: null,
};
const record = {
  tokens,
  records: 1,
  isReported: true,
  unpricedRecords: 0,
  recordedNanoUsd: 10n,
  repricedNanoUsd: 7n,
};
const shop = { project: 'shop', billing: 'metered', provider: 'p', model: 'm', day: '2026-11-22' };

describe('sums of repriced records', () => {
  it('are by the dimension asked for, billing, provider and model', () => {
    const groups = createGroups(['project']);
    for (const dimensions of [
      shop,
      { ...shop, day: 'x' },
      { ...shop, billing: 'unknown' },
      { ...shop, model: 'n' },
      shop,
    ])
      groups.add(dimensions, record);
    expect(
      groups
        .rows()
        .map(({ dimensions, measures }) => [...Object.values(dimensions), measures.records]),
    ).toEqual([
      ['shop', 'metered', 'p', 'm', 3n],
      ['shop', 'unknown', 'p', 'm', 1n],
      ['shop', 'metered', 'p', 'n', 1n],
    ]);
  });

  it('compare only what has both prices, and are exact beyond what a double holds', () => {
    const groups = createGroups(['project']);
    groups.add(shop, { ...record, recordedNanoUsd: 2n ** 60n, repricedNanoUsd: 2n ** 60n + 1n });
    groups.add(shop, { ...record, repricedNanoUsd: null });
    groups.add(shop, { ...record, unpricedRecords: 1, recordedNanoUsd: 0n });
    groups.add(shop, { ...record, isReported: false, recordedNanoUsd: 0n, repricedNanoUsd: null });
    expect(groups.rows()[0]?.measures).toMatchObject({
      records: 4n,
      recordedNanoUsd: 2n ** 60n + 10n,
      repricedNanoUsd: 2n ** 60n + 8n,
      repricedRecords: 2n,
      leftOutRecords: 1n,
      unpricedRecords: 1n,
      unreportedRecords: 1n,
      comparedRecords: 1n,
      differenceNanoUsd: 1n,
    });
  });

  it('are refused when there would be too many rows', () => {
    const groups = createGroups(['day'], 2);
    groups.add(shop, record);
    groups.add({ ...shop, day: 'b' }, record);
    groups.add({ ...shop }, record);
    expect(() => groups.add({ ...shop, day: 'c' }, record)).toThrow(
      /^by: there are more than 2 rows/,
    );
  });
});
