/** The lines of a session file, read one by one: what of them is spend, whose, and by whom. */
import { describe, expect, it } from 'vitest';
import { createEntryReader } from '../../../../collector/reconcile/files/file-entries.ts';
import { isEntry, readHeader } from '../../../../collector/reconcile/files/file-header.ts';

type Json = Record<string, unknown>;

const at = (second: number) => `2026-03-01T09:00:${String(second).padStart(2, '0')}.000Z`;
const usage = { input: 10, output: 1, cost: { total: 0.001 } };
const entry = (id: string, parentId: string | null, more: Json): Json => ({
  type: 'message',
  id,
  parentId,
  timestamp: at(1),
  ...more,
});
const answer = (id: string, parentId: string | null = null, message: Json = {}) =>
  entry(id, parentId, {
    message: {
      role: 'assistant',
      provider: 'p',
      model: 'm',
      usage,
      responseId: `r-${id}`,
      timestamp: 1,
      ...message,
    },
  });
const said = (id: string, parentId: string | null) =>
  entry(id, parentId, { message: { role: 'user', content: 'x' } });
const tool = (id: string, parentId: string | null, message: Json = {}) =>
  entry(id, parentId, { message: { role: 'toolResult', ...message } });

/** What the last of these lines says. */
function lastOf(...lines: readonly Json[]) {
  const reader = createEntryReader('s');
  const read = lines.map((line) => reader.read(line));
  return read.at(-1) ?? null;
}

const unitOf = (...lines: readonly Json[]) => lastOf(...lines)?.[0]?.unit;

describe('a header', () => {
  const header = {
    type: 'session',
    id: 's',
    timestamp: at(0),
    version: 3,
    parentSession: 'p.jsonl',
  };

  it('says whose session it is, since when, from which one, and in what format', () => {
    expect(readHeader(header)).toEqual({
      sessionId: 's',
      timeMs: Date.parse(at(0)),
      parentSession: 'p.jsonl',
      version: 3,
    });
  });

  it.each([
    ['of another type', { type: 'message' }],
    ['without an id', { id: undefined }],
    ['with an empty id', { id: '' }],
    ['with a number for an id', { id: 5 }],
    ['without a time', { timestamp: 'yesterday' }],
  ])('%s is none', (_what, over) => expect(readHeader({ ...header, ...over })).toBeNull());

  it.each<[what: string, over: Json, said: Json]>([
    ['format v1, which does not say', { version: undefined }, { version: 1 }],
    ['a version that is none', { version: '3' }, { version: 1 }],
    [
      'what format v1 calls the parent',
      { parentSession: undefined, branchedFrom: 'b.jsonl' },
      { parentSession: 'b.jsonl' },
    ],
    ['both names of the parent', { branchedFrom: 'b.jsonl' }, { parentSession: 'p.jsonl' }],
    ['a parent that is no text', { parentSession: 5 }, { parentSession: null }],
    ['no parent', { parentSession: undefined }, { parentSession: null }],
  ])('reads %s', (_what, over, saidOfIt) =>
    expect(readHeader({ ...header, ...over })).toMatchObject(saidOfIt),
  );

  it.each([
    ['1970-01-01T00:00:00.000Z', 0],
    ['9999-12-31T23:59:59.999Z', 253_402_300_799_999],
    ['1969-12-31T23:59:59.999Z', undefined],
    ['+010000-01-01T00:00:00.000Z', undefined],
  ])('of %s is of a time that an id can say, or none', (timestamp, ms) =>
    expect(readHeader({ ...header, timestamp })?.timeMs).toBe(ms),
  );
});

describe('an entry', () => {
  it.each([
    ['of any type', entry('a', null, { type: 'dream' }), true],
    ['without an id', { type: 'message', timestamp: at(1) }, true],
    ['a header', { type: 'session', timestamp: at(1) }, false],
    ['a title', { type: 'title', timestamp: at(1) }, false],
    ['without a type', { type: '', timestamp: at(1) }, false],
    ['without a time', { type: 'message', timestamp: 5 }, false],
  ])('is known by type and time: %s', (_what, line, is) => expect(isEntry(line)).toBe(is));

  it('that holds no spend is nothing to count', () => expect(lastOf(said('u', null))).toEqual([]));

  it.each<[what: string, line: Json]>([
    ['a header with usage', { type: 'session', id: 's', timestamp: at(0), usage }],
    ['a title with usage', { type: 'title', id: 's', timestamp: at(0), usage }],
  ])('is none: %s', (_what, line) => expect(lastOf(line)).toEqual([]));

  const long = 'x'.repeat(100);
  it('has an id of up to a hundred characters', () => {
    expect(unitOf(answer(long))?.entryId).toBe(long);
    expect(lastOf(answer(`${long}x`))).toBeNull();
  });

  it.each<[what: string, line: Json, expected: null | readonly never[]]>([
    ['an answer without a time', { ...answer('a'), timestamp: 'yesterday' }, null],
    [
      'an answer without a time or usage',
      { ...answer('a', null, { usage: undefined }), timestamp: 'yesterday' },
      null,
    ],
    ['an answer with an empty id', answer(''), null],
    [
      'usage of a type of its own without a time',
      { ...entry('a', null, { type: 'usage', usage }), timestamp: 5 },
      null,
    ],
    ['usage in what is no entry', { result: [{ usage }] }, null],
    [
      'usage that a tool tells of',
      { ...tool('t', null, { details: { results: [{ usage }] } }), timestamp: 5 },
      null,
    ],
    [
      'what somebody said of usage',
      { ...entry('u', null, { message: { role: 'user', content: [{ usage }] } }), timestamp: 5 },
      [],
    ],
    ['usage that is a text', { result: { usage: 'much' } }, []],
    ['no usage', { ...said('u', null), timestamp: 5 }, []],
    ['a message that is none', { type: 'message', message: 'hello' }, []],
  ])('that has no place is told of where it may be spend: %s', (_what, line, expected) =>
    expect(lastOf(line)).toEqual(expected),
  );
});

describe('spend', () => {
  it('of an answer is all that it says', () => {
    const [told, ...others] = lastOf(answer('a', null, { provider: 'q', model: 'n' })) ?? [];
    expect(others).toEqual([]);
    expect(told?.unit).toMatchObject({
      sessionId: 's',
      kind: 'turn',
      claimKey: null,
      turnEntryId: null,
      entryId: 'a',
      timeMs: Date.parse(at(1)),
      provider: 'q',
      model: 'n',
      tokens: { input: 10, output: 1 },
      nanoUsd: 1_000_000,
      reported: true,
    });
    expect(told?.unitId).toBe(told?.unit.identity);
  });

  it('of an attempt that reported nothing is a record all the same', () => {
    expect(unitOf(answer('a', null, { usage: undefined }))).toMatchObject({
      kind: 'turn',
      reported: false,
      nanoUsd: null,
    });
  });

  it.each<[line: Json, kind: string]>([
    [tool('t', null, { usage }), 'tool'],
    [entry('o', null, { message: { role: 'oracle', usage } }), 'oracle'],
    [entry('o', null, { message: { usage } }), 'unknown'],
    [entry('c', null, { type: 'compaction', usage }), 'compaction'],
    [entry('b', null, { type: 'branch_summary', usage }), 'branch_summary'],
    [entry('w', null, { type: 'usage', kind: 'cache_warm', usage }), 'cache_warm'],
    [entry('w', null, { type: 'usage', usage }), 'usage'],
    [entry('m', null, { type: 'model_usage', usage }), 'side_call'],
    [entry('d', null, { type: 'dream', kind: 'deep', usage }), 'dream'],
    [entry('n', null, { type: 5, usage }), 'unknown'],
  ])('%j is of kind %s', (line, kind) =>
    expect(unitOf(line)).toMatchObject({ kind, nanoUsd: 1_000_000 }),
  );

  it('is distinguished by its response, except for tools and summaries', () => {
    const identities = (make: (responseId: string) => Json) =>
      new Set(['r1', 'r2'].map((id) => unitOf(make(id))?.identity)).size;
    expect(identities((responseId) => answer('a', null, { responseId }))).toBe(2);
    expect(identities((responseId) => entry('u', null, { type: 'usage', usage, responseId }))).toBe(
      2,
    );
    expect(identities((responseId) => tool('t', null, { usage, responseId }))).toBe(1);
    expect(
      identities((responseId) => entry('c', null, { type: 'compaction', usage, responseId })),
    ).toBe(1);
    expect(
      identities((responseId) => entry('b', null, { type: 'branch_summary', usage, responseId })),
    ).toBe(1);
  });

  it('of a tool hangs below the answer that called it, over whatever stands between', () => {
    expect(unitOf(answer('a'), said('u', 'a'), tool('t', 'u', { usage }))).toMatchObject({
      turnEntryId: 'a',
      provider: null,
      model: null,
    });
    expect(unitOf(answer('a'), answer('b', 'a'), tool('t', 'a', { usage }))?.turnEntryId).toBe('a');
    expect(unitOf(answer('a'), tool('t', 'gone', { usage }))?.turnEntryId).toBeNull();
    expect(unitOf(answer('a'), tool('t', null, { usage }))?.turnEntryId).toBeNull();
    expect(unitOf(answer('a'), answer('b', 'a'))?.turnEntryId).toBeNull();
  });

  it('may be repeated by a parent where it is an answer or a tool’s', () => {
    const keyOf = (line: Json) => lastOf(line)?.[0]?.responseKey;
    expect(keyOf(answer('a'))).toMatch(/^response:[0-9a-f]{16}$/);
    expect(keyOf(tool('t', null, { usage }))).toMatch(/^response:[0-9a-f]{16}$/);
    expect(keyOf(entry('o', null, { message: { role: 'oracle', usage } }))).toBeNull();
    expect(keyOf(entry('c', null, { type: 'compaction', usage }))).toBeNull();
    const keys = [{}, { responseId: 'x' }, { timestamp: 2 }, { usage: { input: 11 } }].map((over) =>
      keyOf(answer('a', null, over)),
    );
    expect(new Set(keys).size).toBe(4);
    expect(keyOf(answer('b', null, { responseId: 'r-a', provider: 'q' }))).toBe(keys[0]);
  });
});

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
