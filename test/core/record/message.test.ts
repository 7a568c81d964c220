/** Other messages, edits of what is sent, and model changes. */
import { describe, expect, it } from 'vitest';
import { rootState } from '../../../core/record/path-state.ts';
import { recorded, session } from './support/recorded.ts';

const noSizes = { textChars: 0, thinkingChars: 0, toolCallChars: 0, otherChars: 0, images: 0 };
const above = {
  ...rootState,
  promptEntryId: 'p1',
  provider: 'of above',
  model: 'of above',
  thinkingLevel: 'of above',
};
const common = { entryId: 'e1', parentEntryId: 'e0', promptEntryId: 'p1', sizes: noSizes };

function madeOf(body: Record<string, unknown>): unknown {
  return recorded(body, session, above).map(({ type, data }) => [type, data]);
}

describe('a message', () => {
  it('of the user is a prompt', () => {
    const content = [{ type: 'image' }, { type: 'text', text: 'go' }];
    expect(
      madeOf({ type: 'message', message: { role: 'user', content, attribution: 'agent' } }),
    ).toEqual([
      [
        'pi.prompt.submitted.v1',
        { ...common, sizes: { ...noSizes, images: 1, textChars: 2 }, attribution: 'agent' },
      ],
    ]);
    expect(madeOf({ type: 'message', message: { role: 'user' } })).toEqual([
      ['pi.prompt.submitted.v1', { ...common, attribution: null }],
    ]);
  });

  it('of an extension is one of its own role', () => {
    expect(madeOf({ type: 'custom_message', customType: 'x', content: 'abc' })).toEqual([
      [
        'pi.message.appended.v1',
        { ...common, sizes: { ...noSizes, textChars: 3 }, role: 'custom_message' },
      ],
    ]);
  });

  it('of the user’s own shell is weighed by command and output', () => {
    expect(
      madeOf({
        type: 'message',
        message: { role: 'bashExecution', command: 'ls', output: 'a.ts', content: 'x' },
      }),
    ).toEqual([
      [
        'pi.message.appended.v1',
        { ...common, sizes: { ...noSizes, textChars: 1, otherChars: 6 }, role: 'bashExecution' },
      ],
    ]);
  });

  it('without a role is of an unknown one', () => {
    expect(madeOf({ type: 'message' })).toEqual([
      ['pi.message.appended.v1', { ...common, role: 'unknown' }],
    ]);
  });

  const tools = [{ name: 'read' }];
  const chars = JSON.stringify(tools).length;
  it.each([
    [{ toolsAdded: tools }, { toolDefinitionChars: chars, toolsAdded: 1, toolsRemoved: 0 }, chars],
    [{ toolsRemoved: tools }, { toolDefinitionChars: 0, toolsAdded: 0, toolsRemoved: 1 }, chars],
    [
      { toolsAdded: tools, toolsRemoved: tools },
      { toolDefinitionChars: chars, toolsAdded: 1, toolsRemoved: 1 },
      2 * chars,
    ],
    [{ toolsAdded: [], toolsRemoved: [] }, {}, 4],
  ])('of the system with %j says how the tools change', (changed, said, otherChars) => {
    expect(
      madeOf({ type: 'message', message: { role: 'system', content: 'Be brief.', ...changed } }),
    ).toEqual([
      [
        'pi.message.appended.v1',
        { ...common, sizes: { ...noSizes, textChars: 9, otherChars }, role: 'system', ...said },
      ],
    ]);
  });
});

describe('a change of the model', () => {
  it.each([
    [
      { type: 'model_change', model: 'a/b/c', role: 'smol' },
      { changed: 'model', provider: 'a', model: 'b/c', role: 'smol' },
    ],
    [
      { type: 'model_change', provider: 'a', modelId: 'b/c' },
      { changed: 'model', provider: 'a', model: 'b/c' },
    ],
    [
      { type: 'model_change', model: 'b' },
      { changed: 'model', model: 'b' },
    ],
    [
      { type: 'model_change', model: '/b' },
      { changed: 'model', model: 'b' },
    ],
    [
      { type: 'thinking_level_change', thinkingLevel: 'low', role: 'smol', model: 'a/b' },
      { changed: 'thinkingLevel', thinkingLevel: 'low' },
    ],
    [{ type: 'thinking_level_change', thinkingLevel: null }, { changed: 'thinkingLevel' }],
  ])('in %j is recorded as it is, without the previous values', (body, said) => {
    const unsaid = { provider: null, model: null, thinkingLevel: null, role: null };
    expect(madeOf(body)).toEqual([['pi.model.changed.v1', { ...common, ...unsaid, ...said }]]);
  });
});

describe('an edit of the context', () => {
  it.each([
    [
      { type: 'context_edit', targetId: 'e0', replacement: null },
      { targetEntryId: 'e0', removed: true },
    ],
    [
      { type: 'context_edit', targetId: 'e0', replacement: 'x' },
      { targetEntryId: 'e0', removed: true },
    ],
    [
      { type: 'context_edit', targetId: 'e0', replacement: {} },
      { targetEntryId: 'e0', removed: false },
    ],
    [
      { type: 'context_edit', targetId: 'e0', replacement: { content: 'short' } },
      { targetEntryId: 'e0', removed: false, sizes: { ...noSizes, textChars: 5 } },
    ],
    [
      { type: 'reset_boundary', targetId: 'e0', content: 'x' },
      { targetEntryId: null, removed: true },
    ],
  ])('in %j says which entry it is about, and what stands there now', (body, said) => {
    expect(madeOf(body)).toEqual([['pi.context.edited.v1', { ...common, ...said }]]);
  });

  it.each([{}, { targetId: '' }, { targetId: 7 }])('that names no entry (%j) is none', (body) => {
    expect(madeOf({ type: 'context_edit', ...body })).toEqual([]);
  });
});
