import { describe, expect, it } from 'vitest';
import { rootState } from '../../../core/record/path-state.ts';
import { recorded, session } from './support/recorded.ts';

const noSizes = { textChars: 0, thinkingChars: 0, toolCallChars: 0, otherChars: 0, images: 0 };
const above = {
  ...rootState,
  promptEntryId: 'p1',
  turns: 3,
  provider: 'of above',
  model: 'of above',
  thinkingLevel: 'high',
};
const usage = { input: 10, output: 2, cost: { total: 0.001 } };

function dataOf(message: Record<string, unknown>): Record<string, unknown> {
  const made = recorded(
    { type: 'message', message: { role: 'assistant', ...message } },
    session,
    above,
  );
  expect(made.map(({ type }) => type)).toEqual(['pi.turn.completed.v1']);
  return made[0]?.data as unknown as Record<string, unknown>;
}

describe('an answer', () => {
  it('is recorded with all that it says', () => {
    const message = {
      provider: 'p',
      api: 'x',
      model: 'm',
      responseModel: 'answered',
      upstreamModel: 'upstream',
      responseId: 'r1',
      usage,
      content: [{ type: 'text', text: 'four' }],
      thinkingLevel: 'low',
      stopReason: 'stop',
      rawStopReason: 'end_turn',
      errorStatus: 529,
      timestamp: 5,
      durationMs: 6.5,
      duration: 7,
      ttft: 1.5,
      contextSnapshot: { nonMessageTokens: 8 },
    };
    expect(dataOf(message)).toEqual({
      entryId: 'e1',
      parentEntryId: 'e0',
      promptEntryId: 'p1',
      sizes: { ...noSizes, textChars: 4 },
      turnIndex: 3,
      spend: {
        provider: 'p',
        api: 'x',
        model: 'm',
        responseModel: 'answered',
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
      thinkingLevel: 'low',
      stopReason: 'stop',
      rawStopReason: 'end_turn',
      errorStatus: 529,
      requestedAtMs: 5,
      durationMs: 6.5,
      timeToFirstTokenMs: 1.5,
      toolCalls: {},
      nonMessageTokens: 8,
    });
  });

  it.each([
    [
      { upstreamModel: 'upstream' },
      { spend: { provider: null, model: null, responseModel: 'upstream' } },
    ],
    [{ duration: 7 }, { durationMs: 7 }],
    [
      { duration: -1 },
      {
        durationMs: null,
        timeToFirstTokenMs: null,
        errorStatus: null,
        requestedAtMs: null,
        thinkingLevel: 'high',
      },
    ],
  ])('with %j has it in omp’s words, or not at all', (message, data) => {
    expect(dataOf({ usage, ...message })).toMatchObject(data);
  });

  it('has no non-message tokens if the host reports none', () => {
    for (const contextSnapshot of [undefined, 'x', {}, { nonMessageTokens: -1 }])
      expect(dataOf({ usage, contextSnapshot })).not.toHaveProperty('nonMessageTokens');
  });
});

describe('the tool calls of an answer', () => {
  const call = (name: unknown) => ({ type: 'toolCall', id: 'c', name, arguments: {} });
  const countsOf = (content: readonly unknown[]) =>
    JSON.parse(JSON.stringify(dataOf({ usage, content }))).toolCalls;

  it('are counted by name', () => {
    const content = [
      call('read'),
      call('read'),
      call('__proto__'),
      call(7),
      { type: 'text', name: 'text' },
      null,
    ];
    expect(countsOf(content)).toEqual(JSON.parse('{"read":2,"__proto__":1,"unknown":1}'));
  });

  it('have names of as many as 200 characters, and as many as 200 of them', () => {
    const names = Array.from({ length: 201 }, (_, index) => `tool${index}`);
    expect(countsOf([...names, 'tool0', 'tool200', 'tool1'].map(call))).toEqual({
      ...Object.fromEntries(names.slice(0, 200).map((name) => [name, 1])),
      tool0: 2,
      tool1: 2,
    });
    expect(countsOf([call('x'.repeat(200)), call(`${'x'.repeat(200)}y`)])).toEqual({
      ['x'.repeat(200)]: 2,
    });
  });
});
