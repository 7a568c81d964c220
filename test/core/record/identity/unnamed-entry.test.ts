/** Keys of format v1 entries are stored in ledgers: they must not change. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { wasUnnamed } from '../../../../core/record/entry.ts';
import { keyOfUnnamed } from '../../../../core/record/identity/unnamed-entry.ts';
import { plainCanonicalJson } from '../support/plain-ids.ts';

const timestamp = '2025-11-20T09:00:00.000Z';
const usage = { input: 1, cost: { total: 0.5 } };

/** `said`: role, time, response id, tool call, model, thinking level. */
function plainKey(type: string, said: readonly unknown[], figures: unknown = null): string {
  const text = `${plainCanonicalJson([type, timestamp, ...said])} ${plainCanonicalJson(figures)}`;
  return `v1-${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
}

describe('what an entry without an id is known by', () => {
  it.each([
    ['message', {}, [null, null, null, null, null, null], null],
    [
      'message',
      { message: { role: 'user', content: 'x', timestamp: 5 } },
      ['user', 5, null, null, null, null],
      null,
    ],
    [
      'message',
      {
        message: {
          role: 'assistant',
          timestamp: 5,
          responseId: 'r',
          model: 'm',
          usage,
          content: [],
        },
      },
      ['assistant', 5, 'r', null, 'm', null],
      usage,
    ],
    [
      'message',
      { message: { role: 'toolResult', toolCallId: 'c' } },
      ['toolResult', null, null, 'c', null, null],
      null,
    ],
    [
      'message',
      { message: { role: 'hookMessage', timestamp: 2 } },
      ['custom', 2, null, null, null, null],
      null,
    ],
    ['message', { message: { role: 7, model: 8 } }, [null, null, null, null, null, null], null],
    ['model_change', { provider: 'p', modelId: 'm' }, [null, null, null, null, 'm', null], null],
    [
      'thinking_level_change',
      { thinkingLevel: 'high' },
      [null, null, null, null, null, 'high'],
      null,
    ],
    ['compaction', { summary: 'x', usage }, [null, null, null, null, null, null], usage],
  ] as const)('a %s with %j', (type, body, said, figures) => {
    expect(keyOfUnnamed(type, timestamp, body)).toBe(plainKey(type, said, figures));
  });

  it('is the same after a host took the file up, which renames a role', () => {
    const before = keyOfUnnamed('message', timestamp, {
      message: { role: 'hookMessage', timestamp: 2 },
    });
    expect(keyOfUnnamed('message', timestamp, { message: { role: 'custom', timestamp: 2 } })).toBe(
      before,
    );
  });

  it('leaves out a usage object that is nested too deep, and lets other trouble through', () => {
    let deep: unknown = null;
    for (let depth = 0; depth < 100_000; depth += 1) deep = [deep];
    const text = `${plainCanonicalJson(['usage', timestamp, ...Array(6).fill(null)])} `;
    const key = `v1-${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
    expect(keyOfUnnamed('usage', timestamp, { usage: deep })).toBe(key);
    expect(() => keyOfUnnamed('usage', timestamp, { usage: { input: 1n } })).toThrow(TypeError);
  });
});

describe('an entry had no id when it was written', () => {
  it.each([
    [{ type: 'message', timestamp }, true],
    [{ type: 'message', timestamp, id: 'a' }, true],
    [{ type: 'message', id: 'a', timestamp }, false],
    [{ id: 'a' }, false],
    [{}, false],
  ])('%j: %s', (body, expected) => {
    expect(wasUnnamed(body)).toBe(expected);
  });
});
