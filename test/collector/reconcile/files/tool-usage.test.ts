/** Usage that tools of omp write into the details of their results. */
import { describe, expect, it } from 'vitest';
import { answer, entry, type Json, lastOf } from '../support/entries.ts';

const tool = (toolName: unknown, details: unknown, more: Json = {}) =>
  entry('t', 'a', { message: { role: 'toolResult', toolName, details, ...more } });

/** What the result says, below an answer of provider `p`. */
const unitsOf = (...given: Parameters<typeof tool>) => lastOf(answer('a'), tool(...given)) ?? [];
const unitOf = (...given: Parameters<typeof tool>) => unitsOf(...given)[0]?.unit;
const image = (usage: Json, more: Json = {}) => unitOf('generate_image', { usage, ...more });
const usage = { input: 5, output: 2 };

describe('spend in the details of a tool’s result', () => {
  it.each<[what: string, toolName: string, details: Json]>([
    ['an image', 'generate_image', { usage }],
    ['an image by the name on Anthropic’s API', '_generate_image', { usage }],
    ['a search', 'web_search', { response: { usage } }],
  ])('is that of the tool itself: %s', (_what, toolName, details) => {
    const [found, ...others] = unitsOf(toolName, details);
    expect(others).toEqual([]);
    expect(found).toMatchObject({
      responseKey: null,
      unitId: found?.unit.identity,
      turnAtMs: Date.parse('2026-03-01T09:00:01.000Z'),
      unit: {
        sessionId: 's',
        kind: 'tool',
        claimKey: null,
        turnEntryId: null,
        entryId: 't',
        tokens: { input: 5, output: 2 },
        reported: true,
        nanoUsd: null,
        priceSource: 'unpriced',
      },
    });
  });

  it.each<[what: string, toolName: unknown, details: unknown]>([
    ['of another tool', 'read', { usage }],
    ['of a tool with a longer name', 'my_web_search', { response: { usage } }],
    ['of a search, elsewhere', 'web_search', { usage }],
    ['of an image, elsewhere', 'generate_image', { response: { usage } }],
    ['that is nothing', 'generate_image', { usage: { input: 0 } }],
    ['that is no usage', 'generate_image', { usage: 5 }],
    ['in no details', 'web_search', 'none'],
    ['in no response', 'web_search', { response: 'none' }],
  ])('is none %s', (_what, toolName, details) => expect(unitsOf(toolName, details)).toEqual([]));

  it('is none where the result has its usage in its place', () => {
    const units = unitsOf('generate_image', { usage }, { usage: { input: 7 } });
    expect(units.map(({ unit }) => [unit.turnEntryId, unit.tokens.input])).toEqual([['a', 7]]);
  });

  it('is told apart by the request', () => {
    const ids = ['x', 'y', undefined].map((requestId) => image(usage, { requestId })?.identity);
    expect(new Set(ids).size).toBe(3);
  });
});

describe('who answered a tool', () => {
  it.each<[details: Json, provider: string | null, model: string | null]>([
    [{ model: 'q/n' }, 'q', 'n'],
    [{ model: 'q/n/1' }, 'q', 'n/1'],
    [{ model: 'q/n:high' }, 'q', 'n'],
    [{ model: 'q/n:free' }, 'q', 'n:free'],
    [{ model: 'q/n:low:1' }, 'q', 'n:low:1'],
    [{ provider: 'r', model: 'q/n' }, 'r', 'q/n'],
    [{ provider: 'r', model: 'n' }, 'r', 'n'],
    [{ provider: 'r' }, 'p', null],
    [{ model: 'n' }, 'p', 'n'],
    [{ model: '/n' }, 'p', '/n'],
    [{ model: 'q/' }, 'p', null],
    [{ model: 5 }, 'p', null],
    [{}, 'p', null],
  ])('is %j: %s, %s', (details, provider, model) => {
    expect(image(usage, details)).toMatchObject({ provider, model });
  });

  it.each(['off', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'])(
    'is the model without its level of thinking: %s',
    (level) => expect(image(usage, { model: `n:${level}` })?.model).toBe('n'),
  );

  it('is the provider of the answer above, where that says one', () => {
    const [found] =
      lastOf(answer('a', null, { provider: '' }), tool('generate_image', { usage })) ?? [];
    expect(found?.unit.provider).toBeNull();
  });
});

describe('figures under the names of other providers', () => {
  const none = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 };

  it.each<[what: string, said: Json, tokens: Json]>([
    [
      'the hosts’',
      { input: 5, output: 2, cacheRead: 3, reasoning: 1 },
      { input: 5, output: 2, cacheRead: 3, reasoning: 1 },
    ],
    ['a library’s', { inputTokens: 5, outputTokens: 2 }, { input: 5, output: 2 }],
    [
      'OpenAI’s: what is cached is part of the input, reasoning of the output',
      {
        input_tokens: 5,
        output_tokens: 4,
        input_tokens_details: { cached_tokens: 2 },
        output_tokens_details: { reasoning_tokens: 3 },
      },
      { input: 3, output: 4, cacheRead: 2, reasoning: 3 },
    ],
    [
      'Google’s: thoughts are beside the answer',
      {
        promptTokenCount: 5,
        candidatesTokenCount: 4,
        cachedContentTokenCount: 2,
        thoughtsTokenCount: 3,
      },
      { input: 3, output: 7, cacheRead: 2, reasoning: 3 },
    ],
    ['more cached than sent', { input_tokens: 1, cachedContentTokenCount: 4 }, { cacheRead: 4 }],
    ['only thoughts', { thoughtsTokenCount: 3 }, { output: 3, reasoning: 3 }],
    ['the hosts’ before others', { input: 5, input_tokens: 9, inputTokens: 8 }, { input: 5 }],
    ['figures that are none', { input: -1, inputTokens: 'x', input_tokens: 6 }, { input: 6 }],
    ['a figure without an end', { input: Number.POSITIVE_INFINITY, inputTokens: 4 }, { input: 4 }],
  ])('are %s', (_what, said, tokens) => {
    expect(image(said)?.tokens).toMatchObject({ ...none, ...tokens });
  });

  it.each(['totalTokens', 'total_tokens', 'totalTokenCount'])('may be a sum alone: %s', (name) => {
    expect(image({ [name]: 7 })).toMatchObject({ reported: true, tokens: none });
  });
});
