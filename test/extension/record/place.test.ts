import { describe, expect, it } from 'vitest';
import { readEntry } from '../../../extension/record/entry.ts';
import { advance, type Place, rootPlace } from '../../../extension/record/place.ts';

function placeAfter(...bodies: Record<string, unknown>[]): Place {
  return bodies.reduce<Place>((place, body, index) => {
    const entry = readEntry({
      id: `e${index}`,
      parentId: null,
      timestamp: '2026-01-01T00:00:00.000Z',
      ...body,
    });
    if (entry === null) throw new Error('not an entry');
    return advance(place, entry);
  }, rootPlace);
}

const user = { type: 'message', message: { role: 'user', content: 'hi' } };
const assistant = (...content: unknown[]) => ({
  type: 'message',
  message: { role: 'assistant', provider: 'p', model: 'm', content },
});
const result = { type: 'message', message: { role: 'toolResult', toolCallId: 'c1' } };

describe('advance', () => {
  it('counts the turns since the last prompt', () => {
    expect(placeAfter(user, assistant(), result, assistant())).toMatchObject({
      promptEntryId: 'e0',
      turns: 2,
      turnEntryId: 'e3',
    });
    expect(placeAfter(user, assistant(), user)).toMatchObject({
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
      placeAfter(user, assistant({ type: 'text', text: 'x' }, call), result).toolCalls,
    ).toEqual([{ id: 'c1', name: 'read', paths: ['a.ts', 'b.ts'] }]);
    expect(placeAfter(user, assistant(call), assistant()).toolCalls).toEqual([]);
    expect(placeAfter(assistant({ ...call, name: 7, arguments: 'x' })).toolCalls).toEqual([
      { id: 'c1', name: 'unknown', paths: [] },
    ]);
    expect(
      placeAfter(assistant({ ...call, id: 7 }, { ...call, type: 'text' }, null)).toolCalls,
    ).toEqual([]);
  });

  it('knows the model in force, in the words of pi and of omp', () => {
    expect(placeAfter({ type: 'model_change', provider: 'a', modelId: 'b/c' })).toMatchObject({
      provider: 'a',
      model: 'b/c',
    });
    expect(placeAfter({ type: 'model_change', model: 'a/b/c' })).toMatchObject({
      provider: 'a',
      model: 'b/c',
    });
    expect(placeAfter({ type: 'model_change', model: 'b' })).toMatchObject({
      provider: null,
      model: 'b',
    });
    expect(placeAfter({ type: 'model_change', model: 'a/b' }, assistant())).toMatchObject({
      provider: 'p',
      model: 'm',
    });
    const unnamed = { type: 'message', message: { role: 'assistant' } };
    expect(placeAfter({ type: 'model_change', model: 'a/b' }, unnamed)).toMatchObject({
      provider: 'a',
      model: 'b',
    });
    expect(placeAfter({ type: 'model_change', model: 'a/b' }, user, result)).toMatchObject({
      provider: 'a',
      model: 'b',
    });
    expect(placeAfter({ type: 'thinking_level_change', thinkingLevel: 'high' })).toMatchObject({
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
    const changed = placeAfter(
      { type: 'model_change', model: 'a/b' },
      { type: 'model_change', model: 'x/y', role },
    );
    expect(changed).toMatchObject({ provider });
  });

  it('knows the nearest answer that reported, and how much was said since', () => {
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
      placeAfter(block, reported, block, { ...user, type: 'custom_message' }, block),
    ).toMatchObject({ answer, charsSince: 8 });
    expect(placeAfter(user, reported, user, assistant(), user)).toMatchObject({
      answer,
      charsSince: 4,
    });
    expect(placeAfter(user, failed)).toMatchObject({ answer: null, charsSince: 0 });
    expect(placeAfter(user, reported)).toMatchObject({ answer, charsSince: 0 });
    expect(placeAfter(user, reported, user, failed, user)).toMatchObject({ answer, charsSince: 4 });
    expect(placeAfter(user, reported, user, reported)).toMatchObject({ answer, charsSince: 0 });
  });

  it('shares what does not change', () => {
    const place = placeAfter(user, assistant());
    for (const body of [{ type: 'label' }, result, { type: 'message' }]) {
      const entry = readEntry({
        id: 'x',
        parentId: null,
        timestamp: '2026-01-01T00:00:00.000Z',
        ...body,
      });
      expect(entry && advance(place, entry)).toBe(place);
    }
  });
});
