import { describe, expect, it } from 'vitest';
import { answer, entry, type Json, lastOf, usage } from '../support/entries.ts';

const tool = (id: string, parentId: string | null, message: Json = {}) =>
  entry(id, parentId, { message: { role: 'toolResult', ...message } });

const unitOf = (...lines: readonly Json[]) => lastOf(...lines)?.[0]?.unit;

describe('who answered', () => {
  const summary = (parentId: string | null, type = 'compaction') =>
    entry('c', parentId, { type, usage, provider: 'x', model: 'y' });
  const change = (id: string, parentId: string | null, more: Json) =>
    entry(id, parentId, { type: 'model_change', ...more });

  it.each<[what: string, lines: readonly Json[], provider: string | null, model: string | null]>([
    ['a summary: the model of the answer above', [answer('a'), summary('a')], 'p', 'm'],
    ['... of a branch, too', [answer('a'), summary('a', 'branch_summary')], 'p', 'm'],
    [
      '... on its own branch',
      [answer('a'), answer('b', 'a', { provider: 'q', model: 'n' }), summary('a')],
      'p',
      'm',
    ],
    ['... nobody, where nobody answered', [summary(null)], null, null],
    [
      '... what an answer does not say stays as it was',
      [answer('a'), answer('b', 'a', { provider: '', model: 5 }), summary('b')],
      'p',
      'm',
    ],
    [
      '... the one that it was changed to',
      [change('k', null, { provider: 'q', modelId: 'n' }), summary('k')],
      'q',
      'n',
    ],
    ['... to none', [answer('a'), change('k', 'a', {}), summary('k')], null, null],
    ['... in omp’s words', [change('k', null, { model: 'q/n/1' }), summary('k')], 'q', 'n/1'],
    ['... without a provider', [change('k', null, { model: 'n' }), summary('k')], null, 'n'],
    [
      '... for answers, by role',
      [change('k', null, { model: 'q/n', role: 'default' }), summary('k')],
      'q',
      'n',
    ],
    [
      '... for want of it',
      [change('k', null, { model: 'q/n', role: 'fallback' }), summary('k')],
      'q',
      'n',
    ],
    [
      '... not the one for another role',
      [answer('a'), change('k', 'a', { model: 'q/n', role: 'smol' }), summary('k')],
      'p',
      'm',
    ],
    [
      'an answer by the name in its other field: nobody',
      [answer('a', null, { model: undefined, modelId: 'n' })],
      'p',
      null,
    ],
    [
      'nested work of a tool: nobody, whatever the tool says',
      [tool('t', null, { usage, provider: 'q', model: 'n', modelId: 'o' })],
      null,
      null,
    ],
    [
      'any other message by that name',
      [entry('o', null, { message: { role: 'oracle', usage, provider: 'q', modelId: 'n' } })],
      'q',
      'n',
    ],
    [
      'an entry of its own',
      [entry('u', null, { type: 'usage', usage, provider: 'q', modelId: 'n' })],
      'q',
      'n',
    ],
    [
      '... of whatever kind it calls itself',
      [entry('u', null, { type: 'usage', kind: 'turn', usage, provider: 'q', modelId: 'n' })],
      'q',
      'n',
    ],
    [
      '... by its first name',
      [entry('u', null, { type: 'usage', usage, provider: 'q', model: 'o', modelId: 'n' })],
      'q',
      'o',
    ],
  ])('%s', (_what, lines, provider, model) =>
    expect(unitOf(...lines)).toMatchObject({ provider, model }),
  );

  it('is named by five hundred characters at most', () => {
    expect(unitOf(answer('a', null, { model: 'm'.repeat(501) }))?.model).toHaveLength(500);
  });

  it('follows the entry in front in format v1, which has no tree', () => {
    const { id: _, parentId: __, ...unnamed } = answer('a');
    const { id: ___, parentId: ____, ...result } = tool('t', null, { usage });
    const [first, second] = [unitOf(unnamed), unitOf(unnamed, result)];
    expect(first?.entryId).toMatch(/^v1-/);
    expect(second?.turnEntryId).toBe(first?.entryId);
  });

  it('is found by the random id that a host gave an entry of format v1 when it resumed it', () => {
    const { id: _, parentId: __, ...unnamed } = answer('a');
    const named = unitOf(
      { ...unnamed, id: 'x1', parentId: null },
      { ...tool('t', null, { usage }), parentId: 'x1' },
    );
    expect(named?.turnEntryId).toBe(unitOf(unnamed)?.entryId);
  });
});
