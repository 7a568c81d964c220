import { describe, expect, it } from 'vitest';
import { rootState } from '../../../core/record/path-state.ts';
import { recorded, session } from './support/recorded.ts';

const usage = {
  input: 10,
  output: 2,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 12,
  cost: { total: 0.001 },
};
const above = { ...rootState, promptEntryId: 'p1', provider: 'of above', model: 'of above' };
const spent = { inputTokens: 10, costNanoUsd: 1_000_000, rawUsage: usage };

function dataOf(body: Record<string, unknown>): unknown {
  const made = recorded(body, session, above);
  expect(made.map(({ type }) => type)).toEqual(['pi.usage.recorded.v1']);
  return made[0]?.data;
}

describe('spend outside answers', () => {
  it('is recorded with its prompt, and nothing of the entry but names', () => {
    const body = {
      type: 'usage',
      kind: 'cache_warm',
      provider: 'anthropic',
      api: 'x',
      model: 'claude',
      responseId: 'r1',
      usage,
    };
    const data = dataOf({ ...body, note: 'private words', content: 'private words' });
    expect(data).toEqual({
      entryId: 'e1',
      parentEntryId: 'e0',
      promptEntryId: 'p1',
      sizes: { textChars: 0, thinkingChars: 0, toolCallChars: 0, otherChars: 0, images: 0 },
      kind: 'cache_warm',
      purpose: null,
      spend: {
        provider: 'anthropic',
        api: 'x',
        model: 'claude',
        responseModel: null,
        responseId: 'r1',
        inputTokens: 10,
        outputTokens: 2,
        cacheReadTokens: 0,
        cacheWriteTokens: 0,
        reasoningTokens: null,
        cacheWrite1hTokens: null,
        reported: true,
        costNanoUsd: 1_000_000,
        costSource: 'catalog',
        rawUsage: usage,
      },
    });
  });

  it.each([
    [
      'of pi’s entries under the kind that they name',
      { type: 'usage', kind: 'warm', purpose: 'x' },
      { kind: 'warm', purpose: null },
    ],
    [
      'of pi’s entries without a kind under their type',
      { type: 'usage' },
      { kind: 'usage', purpose: null },
    ],
    [
      'of omp’s side calls with their purpose',
      { type: 'model_usage', kind: 'x', purpose: 'title' },
      { kind: 'side_call', purpose: 'title' },
    ],
    [
      'of an unknown type under its name',
      { type: 'image_call', kind: 'x' },
      { kind: 'image_call', purpose: null },
    ],
  ])('is recorded, %s', (_what, body, said) => {
    expect(dataOf({ ...body, usage })).toMatchObject({ ...said, spend: spent });
  });

  it.each([
    [{ model: 'm', modelId: 'id' }, { model: 'm' }],
    [{ modelId: 'id' }, { model: 'id' }],
    [{ responseModel: 'answered', upstreamModel: 'upstream' }, { responseModel: 'answered' }],
    [{ upstreamModel: 'upstream' }, { responseModel: 'upstream', model: null, provider: null }],
  ])('names the model by %j', (body, spend) => {
    expect(dataOf({ type: 'model_usage', ...body, usage })).toMatchObject({ spend });
  });

  it.each([
    { type: 'image_call' },
    { type: 'image_call', usage: 7 },
    { type: 'image_call', message: { usage } },
  ])('is in none of %j', (body) => {
    expect(recorded(body)).toEqual([]);
  });

  it('of a message of an unknown role is recorded under the role', () => {
    const message = { role: 'oracle', content: 'yes', provider: 'p', model: 'm', usage };
    expect(recorded({ type: 'message', message, usage: { input: 99 } })).toMatchObject([
      { type: 'pi.message.appended.v1', data: { role: 'oracle', sizes: { textChars: 3 } } },
      {
        type: 'pi.usage.recorded.v1',
        data: { kind: 'oracle', spend: { ...spent, provider: 'p', model: 'm' } },
      },
    ]);
  });
});
