/** Spend that counts nowhere, or of which more may have been spent: how its entry is known. */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../support/directory.ts';
import { answer, entry, type Json, lastOf, usage } from '../support/entries.ts';
import { readFacts } from '../support/read-facts.ts';
import { header, writeFile } from '../support/two-sides.ts';

const directory = temporaryDirectory();

/** What is said of the last line's units; null where it may be spend that has no place. */
function marksOf(...lines: readonly Json[]): readonly string[] | null {
  const units = lastOf(...lines);
  if (units === null) return null;
  return units.flatMap(({ isOfOtherAgent, isInUnknownPlace, isLowerBound, isUnsaidSummary }) => {
    const marks = { isOfOtherAgent, isInUnknownPlace, isLowerBound, isUnsaidSummary };
    const named = Object.entries(marks).flatMap(([name, is]) => (is === true ? [name] : []));
    return named.length === 0 ? ['none'] : named;
  });
}

/** The session with these lines. */
function sessionOf(...lines: readonly Json[]) {
  const root = mkdtempSync(join(directory, 'marked-'));
  writeFile(root, 's.jsonl', [header('s', 0), ...lines]);
  const { sessions, problems, claims } = readFacts([root]);
  const [reasons, messages] = [
    problems.map(({ reason }) => reason),
    problems.map(({ message }) => message),
  ];
  return { ...sessions.get('s'), reasons, messages, claims };
}

describe('what omp took over from another agent', () => {
  it.each<[what: string, line: Json, marks: readonly string[] | null]>([
    ['of Claude Code', answer('claude-1'), ['isOfOtherAgent']],
    ['of Codex', answer('codex-1'), ['isOfOtherAgent']],
    ['of Codex, without a place', { ...answer('codex-1'), timestamp: 'yesterday' }, []],
    ['an id with that inside', answer('x-claude-1'), ['none']],
    ['an id without a dash', answer('claude1'), ['none']],
    ['no message', entry('claude-1', null, { type: 'usage', usage }), ['none']],
    ['an id that is no text', { ...answer('claude-1'), id: ['claude-1'] }, null],
  ])('is told by the id of a message: %s', (_what, line, marks) => {
    expect(marksOf(line)).toEqual(marks);
  });

  it('is counted apart', () => {
    const session = sessionOf(answer('codex-1'), answer('codex-2'), answer('a'));
    expect(session).toMatchObject({ otherAgentsUnits: 2, sums: { units: 1 }, reasons: [] });
  });
});

describe('usage where no host writes it', () => {
  it.each<[what: string, line: Json]>([
    ['custom_message', entry('a', null, { type: 'custom_message', usage })],
    ['model_change', entry('a', null, { type: 'model_change', usage })],
    ['thinking_level_change', entry('a', null, { type: 'thinking_level_change', usage })],
    ['context_edit', entry('a', null, { type: 'context_edit', usage })],
    ['reset_boundary', entry('a', null, { type: 'reset_boundary', usage })],
    ['what a user said', entry('a', null, { message: { role: 'user', usage } })],
  ])('counts nowhere, and is told: %s', (_what, line) => {
    expect(marksOf(line)).toEqual(['isInUnknownPlace']);
    expect(marksOf({ ...line, timestamp: 'yesterday' })).toEqual([]);
    expect(sessionOf(line)).toMatchObject({ sums: { units: 0 }, reasons: ['unknown_place'] });
  });

  it('is told with the type of its entry', () => {
    const { messages } = sessionOf(entry('a', null, { type: 'context_edit', usage }));
    expect(messages).toEqual([
      'usage on an entry of type context_edit, where it has no known meaning: not counted',
    ]);
  });

  it('is none where such an entry has no usage', () => {
    expect(marksOf(entry('a', null, { type: 'context_edit' }))).toEqual([]);
  });
});

describe('what an extension says of its own calls', () => {
  const custom = (more: Json) => entry('a', null, { type: 'custom', ...more });
  const data = { usage, provider: 'p', model: 'm' };

  it('is a lower bound: it may be that of its last answer', () => {
    expect(marksOf(custom({ data }))).toEqual(['isLowerBound']);
    expect(lastOf(custom({ data }))?.[0]?.unit).toMatchObject({
      kind: 'custom',
      provider: 'p',
      model: 'm',
      tokens: { input: 10 },
      reported: true,
    });
    expect(sessionOf(custom({ data }), { ...custom({ data }), id: 'b' })).toMatchObject({
      lowerBounds: 2,
      sums: { units: 2 },
    });
  });

  it.each<[what: string, line: Json, marks: readonly string[]]>([
    ['it reported nothing', custom({ data: { usage: { input: 0 } } }), []],
    ['it has no usage', custom({ data: { model: 'm' } }), []],
    ['it has no data', custom({}), []],
    ['the entry has usage itself', custom({ usage, data }), ['none']],
    ['another entry has data', entry('a', null, { type: 'dream', data }), []],
  ])('is none where %s', (_what, line, marks) => expect(marksOf(line)).toEqual(marks));
});

describe('a summary', () => {
  const types = ['compaction', 'branch_summary'];

  it.each(types)('of an extension cost what nobody says: %s', (type) => {
    for (const by of [{ fromHook: true }, { fromExtension: true }]) {
      const summary = entry('b', 'a', { type, ...by });
      expect(marksOf(answer('a'), summary)).toEqual(['isUnsaidSummary']);
      expect(lastOf(answer('a'), summary)?.[0]?.unit).toMatchObject({
        kind: type,
        provider: null,
        model: null,
        reported: false,
      });
      expect(sessionOf(summary)).toMatchObject({ unsaidSummaries: 1, sums: { units: 1 } });
    }
  });

  it.each(types)('with usage cost that, whoever made it: %s', (type) => {
    const summary = entry('b', 'a', { type, fromHook: true, usage });
    expect(marksOf(answer('a'), summary)).toEqual(['none']);
    expect(lastOf(answer('a'), summary)?.[0]?.unit).toMatchObject({ provider: 'p', model: 'm' });
  });

  it.each<[what: string, more: Json]>([
    ['of a host', { type: 'compaction' }],
    ['of a host that says so', { type: 'compaction', fromHook: false, fromExtension: false }],
    ['that may be of an extension', { type: 'branch_summary', fromHook: 'yes' }],
    ['that is another entry', { type: 'dream', fromHook: true }],
  ])('without usage is no spend where it is one %s', (_what, more) => {
    expect(marksOf(entry('b', 'a', more))).toEqual([]);
  });
});

describe('the names in a tool’s result', () => {
  const details = {
    sessionFile: '/x/y.jsonl',
    results: [{ sessionId: 'child' }, { session: { id: 'other' } }, 'x'],
  };
  const namesOf = (message: Json, line: Json = {}) =>
    lastOf(entry('t', null, { message: { role: 'toolResult', ...message }, ...line }))?.map(
      ({ names }) => names,
    );

  it('are kept with what it spent, and with each of its claims', () => {
    const names = ['/x/y.jsonl', 'child', 'other'];
    expect(namesOf({ usage, details })).toEqual([names]);
    const results = [{ sessionId: 'child', usage }, { usage }];
    expect(namesOf({ details: { results } })).toEqual([['child'], ['child']]);
  });

  it('are none of another message', () => {
    expect(namesOf({ role: 'oracle', usage, details })).toEqual([undefined]);
  });
});
