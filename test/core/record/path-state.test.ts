import { describe, expect, it } from 'vitest';
import { readEntry } from '../../../core/record/entry.ts';
import {
  advance,
  type PathState,
  rootState,
  withPrivacy,
} from '../../../core/record/path-state.ts';

function stateAfter(...bodies: Record<string, unknown>[]): PathState {
  return bodies.reduce<PathState>((state, body, index) => {
    const entry = readEntry({
      id: `e${index}`,
      parentId: null,
      timestamp: '2026-01-01T00:00:00.000Z',
      ...body,
    });
    if (entry === null) throw new Error('not an entry');
    return advance(state, entry);
  }, rootState);
}

const user = { type: 'message', message: { role: 'user', content: 'hi' } };
const assistant = (...content: unknown[]) => ({
  type: 'message',
  message: { role: 'assistant', provider: 'p', model: 'm', content },
});
const result = { type: 'message', message: { role: 'toolResult', toolCallId: 'c1' } };

describe('advance', () => {
  it('counts the turns since the last prompt', () => {
    expect(stateAfter(user, assistant(), result, assistant())).toMatchObject({
      promptEntryId: 'e0',
      turns: 2,
      turnEntryId: 'e3',
    });
    expect(stateAfter(user, assistant(), user)).toMatchObject({
      promptEntryId: 'e2',
      turns: 0,
      turnEntryId: 'e1',
    });
  });

  it('keeps the calls of the nearest answer, with the paths they name', () => {
    const call = {
      type: 'toolCall',
      id: 'c1',
      name: 'read',
      arguments: { path: 'a.ts', paths: ['b.ts', 7], content: 'x' },
    };
    expect(
      stateAfter(user, assistant({ type: 'text', text: 'x' }, call), result).toolCalls,
    ).toEqual([{ id: 'c1', name: 'read', paths: ['a.ts', 'b.ts'] }]);
    expect(stateAfter(user, assistant(call), assistant()).toolCalls).toEqual([]);
    expect(stateAfter(assistant({ ...call, name: 7, arguments: 'x' })).toolCalls).toEqual([
      { id: 'c1', name: 'unknown', paths: [] },
    ]);
    expect(
      stateAfter(assistant({ ...call, id: 7 }, { ...call, type: 'text' }, null)).toolCalls,
    ).toEqual([]);
  });

  it('knows the model in force, in the words of pi and of omp', () => {
    expect(stateAfter({ type: 'model_change', provider: 'a', modelId: 'b/c' })).toMatchObject({
      provider: 'a',
      model: 'b/c',
    });
    expect(stateAfter({ type: 'model_change', model: 'a/b/c' })).toMatchObject({
      provider: 'a',
      model: 'b/c',
    });
    expect(stateAfter({ type: 'model_change', model: 'b' })).toMatchObject({
      provider: null,
      model: 'b',
    });
    expect(stateAfter({ type: 'model_change', model: 'a/b' }, assistant())).toMatchObject({
      provider: 'p',
      model: 'm',
    });
    const unnamed = { type: 'message', message: { role: 'assistant' } };
    expect(stateAfter({ type: 'model_change', model: 'a/b' }, unnamed)).toMatchObject({
      provider: 'a',
      model: 'b',
    });
    expect(stateAfter({ type: 'model_change', model: 'a/b' }, user, result)).toMatchObject({
      provider: 'a',
      model: 'b',
    });
    expect(stateAfter({ type: 'thinking_level_change', thinkingLevel: 'high' })).toMatchObject({
      thinkingLevel: 'high',
    });
  });

  it.each([
    [undefined, 'x'],
    ['default', 'x'],
    ['fallback', 'x'],
    ['smol', 'a'],
    ['slow', 'a'],
  ])('after a change of the model for the role %s answers with %s', (role, provider) => {
    const changed = stateAfter(
      { type: 'model_change', model: 'a/b' },
      { type: 'model_change', model: 'x/y', role },
    );
    expect(changed).toMatchObject({ provider });
  });

  it('knows the nearest reported answer, and the characters since', () => {
    const usage = { input: 5, output: 1, cost: { total: 0.1 } };
    const reported = {
      type: 'message',
      message: {
        role: 'assistant',
        provider: 'p',
        model: 'm',
        usage,
        content: [{ type: 'text', text: 'no' }],
      },
    };
    const failed = {
      type: 'message',
      message: {
        role: 'assistant',
        content: [{ type: 'text', text: 'half' }],
        usage: { input: 0 },
      },
    };
    const answer = { provider: 'p', model: 'm', usage };
    const block = {
      type: 'message',
      message: { role: 'toolResult', content: [{ type: 'text', text: 'four' }, { type: 'image' }] },
    };
    expect(
      stateAfter(block, reported, block, { ...user, type: 'custom_message' }, block),
    ).toMatchObject({ answer, charsSince: 8 });
    expect(stateAfter(user, reported, user, assistant(), user)).toMatchObject({
      answer,
      charsSince: 4,
    });
    expect(stateAfter(user, failed)).toMatchObject({ answer: null, charsSince: 0 });
    expect(stateAfter(user, reported)).toMatchObject({ answer, charsSince: 0 });
    expect(stateAfter(user, reported, user, failed, user)).toMatchObject({ answer, charsSince: 4 });
    expect(stateAfter(user, reported, user, reported)).toMatchObject({ answer, charsSince: 0 });
  });

  it('shares what does not change', () => {
    const state = stateAfter(user, assistant());
    for (const body of [{ type: 'label' }, result, { type: 'message' }]) {
      const entry = readEntry({
        id: 'x',
        parentId: null,
        timestamp: '2026-01-01T00:00:00.000Z',
        ...body,
      });
      expect(entry && advance(state, entry)).toBe(state);
    }
  });
});

describe('withPrivacy', () => {
  const state = stateAfter(user, assistant());

  it('marks what follows a private stretch in the file, wherever it stands in the tree', () => {
    expect(withPrivacy(state, true)).toEqual({ ...state, followsPrivate: true });
  });

  it('never forgets one, and copies nothing without need', () => {
    const marked = withPrivacy(state, true);
    expect(withPrivacy(marked, false)).toBe(marked);
    expect(withPrivacy(marked, true)).toBe(marked);
    expect(withPrivacy(state, false)).toBe(state);
  });
});
