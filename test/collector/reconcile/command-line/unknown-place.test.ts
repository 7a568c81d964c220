/** Usage on entries that no host gives one: nobody counts it, and both commands list it. */
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../support/directory.ts';
import { importingFiles } from '../support/files-in.ts';
import { answer, at, header, sessionFileName, usage } from '../support/left-out.ts';

const told = importingFiles(temporaryDirectory(), 'pi');

describe('usage in an unknown place', () => {
  it.each([
    ['custom_message', { usage: usage(5) }],
    ['model_change', { provider: 'p', modelId: 'm', usage: usage(5) }],
    ['thinking_level_change', { thinkingLevel: 'low', usage: usage(5) }],
    ['context_edit', { usage: usage(5) }],
    ['reset_boundary', { usage: usage(5) }],
    ['message', { message: { role: 'user', content: 'x', usage: usage(5) } }],
  ])('is listed by import and reconcile, and misses in no total: %s', async (type, body) => {
    const entry = { type, id: 'u', parentId: 'a1', timestamp: at(2), ...body };
    const found = await told({
      [sessionFileName]: [header(), answer('a1', 1), JSON.stringify(entry), answer('a2', 3)],
    });
    expect(found).toMatchObject({
      codes: [0, 0],
      records: 2,
      faults: [],
      explanations: ['unknown_place'],
      complained: expect.stringContaining(`${sessionFileName}:3: unknown usage`),
      problems: [expect.stringContaining(`usage on an entry of type ${type}`)],
    });
  });
});
