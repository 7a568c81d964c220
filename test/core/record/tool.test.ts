import { expect, it } from 'vitest';
import { rootState } from '../../../core/record/path-state.ts';
import { recorded, session } from './support/recorded.ts';

const noSizes = { textChars: 0, thinkingChars: 0, toolCallChars: 0, otherChars: 0, images: 0 };
const usage = { input: 10, output: 2, cost: { total: 0.001 } };
const calls = [
  { id: 'other', name: 'other', paths: ['other.ts'] },
  { id: 'c', name: 'ask', paths: ['a.ts', '/etc/hosts'] },
];
const above = { ...rootState, promptEntryId: 'p1', turnEntryId: 't', toolCalls: calls };

function dataOf(message: Record<string, unknown>): unknown {
  const made = recorded(
    { type: 'message', message: { role: 'toolResult', ...message } },
    session,
    above,
  );
  expect(made.map(({ type }) => type)).toEqual(['pi.tool.completed.v1']);
  return made[0]?.data;
}

it('a tool’s result is recorded with its call, and nested model work as its spend', () => {
  const details = {
    path: 'c.ts',
    perFileResults: [{ path: 'd.ts' }, { path: 7 }, null, { path: 'a.ts' }],
  };
  const message = {
    toolCallId: 'c',
    toolName: 'edit',
    isError: true,
    durationMs: 5.5,
    content: 'done',
    usage,
    details,
  };
  expect(dataOf(message)).toEqual({
    entryId: 'e1',
    parentEntryId: 'e0',
    promptEntryId: 'p1',
    sizes: { ...noSizes, textChars: 4 },
    turnEntryId: 't',
    toolCallId: 'c',
    toolName: 'edit',
    isError: true,
    durationMs: 5.5,
    paths: ['a.ts', expect.stringMatching(/^<outside>\/\w{8}\/hosts$/), 'c.ts', 'd.ts'],
    spend: {
      provider: null,
      api: null,
      model: null,
      responseModel: null,
      responseId: null,
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
    { toolCallId: 'c' },
    { toolCallId: 'c', toolName: 'ask', isError: false, durationMs: null, spend: null },
  ],
  [
    { toolCallId: 'c', isError: 'yes', usage: 7, details: 'x' },
    { isError: false, spend: null },
  ],
  [
    { toolCallId: 'unheard', toolName: '' },
    { toolCallId: 'unheard', toolName: 'unknown', paths: [] },
  ],
  [
    { details: { path: 7, perFileResults: 'x' } },
    { toolCallId: null, toolName: 'unknown', paths: [] },
  ],
])('of a result that says %j the rest is what its call says, or unknown', (message, data) => {
  expect(dataOf(message)).toMatchObject(data);
});
