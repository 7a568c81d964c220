/**
 * The name of an entry of format v1: the same before and after a host adds a random id, and the
 * same as the importers'.
 */
import { describe, expect, it } from 'vitest';
import { isUnnamed, nameEntry } from '../../../../collector/reconcile/files/unnamed-entry.ts';
import { keyOfUnnamed } from '../../../../core/record/identity/unnamed-entry.ts';

type Json = Record<string, unknown>;

const timestamp = '2025-03-01T09:00:00.000Z';
const message = {
  role: 'assistant',
  timestamp: 1,
  responseId: 'r',
  toolCallId: 'c',
  model: 'm',
  usage: { input: 1 },
  content: 'x',
};
const entry: Json = { type: 'message', timestamp, message };

describe('an entry had no id when it was written', () => {
  it.each<[what: string, line: Json, is: boolean]>([
    ['where it has none', entry, true],
    ['where its id stands behind its time', { ...entry, id: 'x' }, true],
    ['not where its id stands in front', { id: 'x', ...entry }, false],
    ['not without a time', { type: 'message' }, false],
    ['not without a type', { timestamp }, false],
  ])('%s', (_when, line, is) => expect(isUnnamed(line)).toBe(is));
});

describe('the name of such an entry', () => {
  const name = nameEntry(entry);

  it('is of so many hex digits, and the one that its events have', () => {
    expect(name).toMatch(/^v1-[0-9a-f]{16}$/);
    for (const line of [
      entry,
      { type: 'model_change', timestamp, modelId: 'n' },
      { type: 'compaction', timestamp, usage: { input: 3 } },
    ]) {
      expect(nameEntry(line)).toBe(keyOfUnnamed(String(line.type), timestamp, line));
    }
  });

  it.each<[what: string, line: Json]>([
    ['its id', { ...entry, id: 'x', parentId: 'y' }],
    ['what was said', { ...entry, message: { ...message, content: 'y' } }],
    ['who provided it', { ...entry, message: { ...message, provider: 'p' } }],
  ])('does not know %s', (_what, line) => expect(nameEntry(line)).toBe(name));

  it.each<[what: string, line: Json]>([
    ['type', { ...entry, type: 'other' }],
    ['time', { ...entry, timestamp: '2025-03-01T09:00:00.001Z' }],
    ['role', { ...entry, message: { ...message, role: 'user' } }],
    ['message’s time', { ...entry, message: { ...message, timestamp: 2 } }],
    ['response', { ...entry, message: { ...message, responseId: 's' } }],
    ['tool call', { ...entry, message: { ...message, toolCallId: 'd' } }],
    ['model', { ...entry, message: { ...message, model: 'n' } }],
    ['model it is changed to', { ...entry, modelId: 'n' }],
    ['thinking level', { ...entry, thinkingLevel: 'high' }],
    ['usage', { ...entry, message: { ...message, usage: { input: 2 } } }],
    ['message', { ...entry, message: undefined }],
  ])('is another one for another %s', (_what, line) => expect(nameEntry(line)).not.toBe(name));

  it('knows the usage of an entry that is no message', () => {
    const compaction = (input: number) =>
      nameEntry({ type: 'compaction', timestamp, usage: { input } });
    expect(compaction(1)).not.toBe(compaction(2));
  });

  it('takes what hosts call a custom message now for what they called it then', () => {
    const named = (role: string) => nameEntry({ ...entry, message: { ...message, role } });
    expect(named('hookMessage')).toBe(named('custom'));
  });

  it('takes a model that is no text for none', () => {
    const models = [5, null, undefined].map((model) =>
      nameEntry({ ...entry, message: { ...message, model } }),
    );
    expect(new Set(models).size).toBe(1);
  });
});
