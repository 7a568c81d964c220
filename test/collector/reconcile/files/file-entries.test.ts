/** Lines of a session file read one by one: what is spend, and whose. */
import { describe, expect, it } from 'vitest';
import { isEntry } from '../../../../collector/reconcile/files/file-header.ts';
import { answer, at, entry, type Json, lastOf, usage } from '../support/entries.ts';

const said = (id: string, parentId: string | null) =>
  entry(id, parentId, { message: { role: 'user', content: 'x' } });

const tool = (id: string, parentId: string | null, message: Json = {}) =>
  entry(id, parentId, { message: { role: 'toolResult', ...message } });

const unitOf = (...lines: readonly Json[]) => lastOf(...lines)?.[0]?.unit;

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
