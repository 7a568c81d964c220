import { describe, expect, it } from 'vitest';
import { readSpend } from '../../../core/record/spend.ts';

const answered = {
  provider: 'anthropic',
  api: 'anthropic-messages',
  model: 'claude',
  responseModel: null,
  responseId: null,
};
/** That many lists in one another. */
const nested = (levels: number) => JSON.parse('['.repeat(levels) + ']'.repeat(levels));

describe('the raw usage of a spend', () => {
  it('keeps only the figures if the object holds what no usage holds', () => {
    const usage = {
      input: 5,
      output: 6,
      cost: { total: 0.1, note: 'x'.repeat(300) },
      transcript: 'secret '.repeat(2_000),
    };
    const { rawUsage } = readSpend(usage, answered);
    expect(rawUsage).toEqual({ input: 5, output: 6, cost: { total: 0.1 } });
    const many = Object.fromEntries(
      Array.from({ length: 2_000 }, (_, index) => [`figure${index}`, index]),
    );
    expect(readSpend({ ...many, input: 1 }, answered).rawUsage).toEqual({ input: 1, cost: {} });
  });

  it.each([
    ['a text of 200 characters', { note: 'x'.repeat(200) }, true],
    ['a text of 201 characters', { note: 'x'.repeat(201) }, false],
    ['a text of 201 characters further down', { more: [{ note: 'x'.repeat(201) }] }, false],
    [
      '8,192 characters of names, texts and figures',
      { more: { ['k'.repeat(8_192 - 13 - 4 - 8)]: null } },
      true,
    ],
    [
      '8,193 characters of names, texts and figures',
      { more: { ['k'.repeat(8_192 - 13 - 4 - 7)]: null } },
      false,
    ],
    [
      '8,193 characters, of which a text has some',
      { ['k'.repeat(8_192 - 13 - 9)]: 'x'.repeat(10) },
      false,
    ],
    ['16 levels', { more: nested(15) }, true],
    ['17 levels', { more: nested(16) }, false],
  ])('says whether it keeps the usage object with %s', (_what, more, isKept) => {
    const usage = { input: 1, ...more };
    expect(readSpend(usage, answered).rawUsage).toEqual(isKept ? usage : { input: 1, cost: {} });
  });

  it('keeps the known figures if it cannot keep all', () => {
    const figures = {
      input: 1,
      output: 2,
      cacheRead: 3,
      cacheWrite: 4,
      cacheWrite1h: 5,
      reasoning: 6,
      reasoningTokens: 7,
      totalTokens: 8,
      premiumRequests: 9,
    };
    const cost = { input: 0.1, output: 0.2, cacheRead: 0.3, cacheWrite: 0.4, total: 1 };
    const { rawUsage } = readSpend(
      { ...figures, cost: { ...cost, more: 1 }, more: 1, note: 'x'.repeat(300) },
      answered,
    );
    expect(rawUsage).toEqual({ ...figures, cost });
    expect(readSpend({ input: '1', cost: 0.5, note: 'x'.repeat(300) }, answered).rawUsage).toEqual({
      cost: { total: 0.5 },
    });
  });
});
