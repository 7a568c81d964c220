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

  const result = (details: object, toolName = 'my_tool') => ({
    type: 'message',
    message: { role: 'toolResult', toolName, toolCallId: 'c', content: [], details },
  });

  it.each<[place: string, body: { readonly type: string; readonly [name: string]: unknown }]>([
    ['/message/details/usage', result({ usage: usage(5) })],
    ['/message/details/response/usage', result({ response: { usage: { input_tokens: 5 } } })],
    ['/message/details/a/0/usage', result({ results: [{ usage: 'x' }], a: [{ usage: usage(5) }] })],
    ['/message/details/meta/usage', result({ usage: usage(5), meta: { usage: usage(5) } }, 'task')],
    ['/message/details/usage', result({ usage: { input: 0 } }, 'generate_image')],
    [
      '/message/note/usage',
      { type: 'message', message: { role: 'user', note: { usage: usage(5) } } },
    ],
    ['/details/usage', { type: 'custom_message', customType: 'y', details: { usage: usage(5) } }],
    [
      '/data/result/usage',
      { type: 'custom', customType: 'y', data: { result: { usage: usage(5) } } },
    ],
    ['/note/usage', { type: 'label', targetId: 'a1', note: { usage: { promptTokenCount: 5 } } }],
  ])('at %s is listed by both, with the place', async (place, body) => {
    const entry = { id: 'u', parentId: 'a1', timestamp: at(2), ...body };
    const found = await told({
      [sessionFileName]: [header(), answer('a1', 1), JSON.stringify(entry), answer('a2', 3)],
    });
    const where = `usage at ${place} of an entry of type ${body.type}`;
    expect(found).toMatchObject({
      codes: [0, 0],
      records: 2,
      faults: [],
      explanations: ['unknown_place'],
      complained: expect.stringContaining(`${sessionFileName}:3: unknown ${where}`),
      problems: [expect.stringContaining(where)],
    });
  });

  it.each<[what: string, body: object]>([
    [
      'what a model wrote',
      { type: 'message', message: { role: 'user', content: [{ usage: usage(5) }] } },
    ],
    ['what is no figure', result({ usage: { note: 'none' } })],
    ['what omp’s tasks sum up', result({ usage: usage(5) }, 'task')],
    ['another name', result({ tokenUsage: usage(5) })],
    [
      'what is deeper than anybody looks',
      result(JSON.parse(`${'{"a":'.repeat(14)}{"usage":{"input":5}}${'}'.repeat(14)}`)),
    ],
  ])('is listed by neither: %s', async (_what, body) => {
    const entry = { id: 'u', parentId: 'a1', timestamp: at(2), ...body };
    const found = await told({
      [sessionFileName]: [header(), answer('a1', 1), JSON.stringify(entry), answer('a2', 3)],
    });
    expect(found).toMatchObject({ codes: [0, 0], records: 2, explanations: [], problems: [] });
    expect(found.complained).not.toContain('unknown usage');
  });
});
