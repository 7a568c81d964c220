import { describe, expect, it } from 'vitest';
import { conversationTokens, withOrchestration } from '../../../core/record/orchestration.ts';
import { readSpend } from '../../../core/record/spend.ts';

const nobody = { provider: null, api: null, model: null, responseModel: null, responseId: null };
const orchestration = { input: 1_000, output: 200, cacheRead: 300 };
const usage = {
  input: 100,
  output: 10,
  cacheRead: 50,
  cacheWrite: 4,
  totalTokens: 1_664,
  orchestration,
};
const kept = { inputTokens: 1_000, outputTokens: 200, cacheReadTokens: 300 };

describe('what a provider spends around an answer', () => {
  const spend = readSpend(usage, nobody);

  it('is counted in the buckets, and kept apart', () => {
    expect(spend).toMatchObject({
      ...{ inputTokens: 1_100, outputTokens: 210, cacheReadTokens: 350, cacheWriteTokens: 4 },
      ...{ orchestration: kept, rawUsage: usage },
    });
  });

  it('is no part of the conversation', () => {
    expect(conversationTokens(spend)).toEqual({
      ...{ inputTokens: 100, outputTokens: 10, cacheReadTokens: 50, cacheWriteTokens: 4 },
    });
  });

  it('is added to what an older event counts, once', () => {
    const { orchestration: _, ...rest } = spend;
    const old = { ...rest, inputTokens: 100, outputTokens: 10, cacheReadTokens: 50 };
    expect(withOrchestration(old)).toEqual(spend);
    expect(withOrchestration(spend)).toBe(spend);
    expect(conversationTokens(old)).toEqual(conversationTokens(spend));
  });

  it.each([undefined, null, 7, 'x', [1]])('is nothing where the host says %j', (said) => {
    const plain = readSpend({ ...usage, orchestration: said }, nobody);
    expect(plain).toMatchObject({ inputTokens: 100 });
    expect(plain).not.toHaveProperty('orchestration');
    expect(withOrchestration(plain)).toBe(plain);
  });

  it('stays within what the contract has room for', () => {
    const most = { input: 1e12, orchestration: { input: 1e12, output: -1, cacheRead: 'x' } };
    expect(readSpend(most, nobody)).toMatchObject({ inputTokens: 1e12, outputTokens: 0 });
  });
});
