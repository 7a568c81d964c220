/** Which tool results are about which sessions: by name, or by what they sum up. */
import { describe, expect, it } from 'vitest';
import { createSpentResults } from '../../../../collector/reconcile/files/result-ties.ts';
import type { SessionFile } from '../../../../collector/reconcile/files/session-files.ts';
import type { Unit } from '../../../../collector/reconcile/unit.ts';
import { aClaim, aUnit, noTokens } from '../support/units.ts';

const hourMs = 60 * 60 * 1_000;

interface Session {
  readonly id: string;
  readonly path?: string;
  readonly parentSession?: string;
  readonly timeMs?: number;
  /** Answers by default. */
  readonly records?: readonly (readonly [input: number, timeMs: number, kind?: string])[];
}

const fileOf = ({ id, path = `/s/t_${id}.jsonl`, parentSession, timeMs = 0 }: Session) => ({
  path,
  bytes: 1,
  changedAtMs: 0,
  header: { sessionId: id, timeMs, cwd: null, parentSession: parentSession ?? null, version: 3 },
});

/** A tool result of the session `parent`. */
const result = (input: number, timeMs = 100, over: Partial<Unit> = {}) =>
  aClaim({
    sessionId: 'parent',
    claimKey: 'turn:a',
    entryId: 'e1',
    tokens: { ...noTokens, input },
    timeMs,
    ...over,
  });

/** The sessions that the result is about. */
function about(
  unit: Unit,
  { names = [], sessions }: { names?: readonly string[]; sessions: readonly Session[] },
): readonly string[] {
  const spent = createSpentResults();
  const files: SessionFile[] = [{ id: 'parent' }, ...sessions].map(fileOf);
  for (const file of files) spent.open(file);
  spent.take({ unit, turnAtMs: 50, names });
  for (const { id, records = [] } of sessions)
    for (const [input, timeMs, kind = 'turn'] of records) {
      const tokens = { ...noTokens, input };
      spent.take({ unit: aUnit({ sessionId: id, kind, tokens, timeMs }), turnAtMs: null });
    }
  const ties = spent.ties(files);
  for (const { parentSessionId, entryId } of ties)
    expect([parentSessionId, entryId]).toEqual(['parent', 'e1']);
  return ties.map(({ sessionId }) => sessionId);
}

describe('a result that names sessions', () => {
  const sessions = [
    { id: 'x' },
    { id: 'y', path: '/s/runs/one/session.jsonl' },
    { id: 'z', path: '/s/runs/two/session.jsonl' },
    { id: 'groß', path: '/s/groß/session.jsonl' },
  ];

  it.each<[by: string, name: string, expected: readonly string[]]>([
    ['its id', 'x', ['x']],
    ['the end of its path', '/other/runs/one/session.jsonl', ['y']],
    ['the end of its path on Windows', 'C:\\runs\\\\two\\session.jsonl', ['z']],
    ['the end of its path in other letters', '/RUNS/One/Session.JSONL', ['y']],
    ['the path of a session that has none', '/runs/three/session.jsonl', []],
    ['less than that end', 'one/session.jsonl', []],
    ['a path of the same letters', '/run/sone/session.jsonl', []],
    ['a path that only capitals make the same', '/s/gross/session.jsonl', []],
    ['the id of one without a file', 'gone', []],
    ['its own id', 'parent', []],
  ])('is about the one that it calls by %s', (_by, name, expected) => {
    expect(about(result(1), { names: [name], sessions })).toEqual(expected);
  });

  it('is about each of them once', () => {
    const names = ['x', 'gone', '/runs/two/session.jsonl', 'x', 'z'];
    expect(about(result(1), { names, sessions })).toEqual(['x', 'z']);
  });

  it('is about nothing else, whatever it sums up', () => {
    const heir = { id: 'h', parentSession: 'parent', records: [[7, 60]] as const };
    expect(about(result(7), { names: ['gone'], sessions: [heir] })).toEqual([]);
    expect(about(result(7), { sessions: [heir] })).toEqual(['h']);
  });

  it('is not about a file in other letters that another result names exactly', () => {
    const spent = createSpentResults();
    const files = [{ id: 'a', path: '/r/K/s.jsonl' }].map(fileOf);
    spent.take({ unit: result(1), turnAtMs: null, names: ['/r/k/s.jsonl'] });
    expect(spent.ties(files)).toHaveLength(1);
    spent.take({
      unit: result(1, 100, { entryId: 'e2' }),
      turnAtMs: null,
      names: ['/r/K/s.jsonl'],
    });
    expect(spent.ties(files).map(({ entryId }) => entryId)).toEqual(['e2']);
  });
});

describe('a result that names none', () => {
  const heir = (...records: NonNullable<Session['records']>) => ({
    sessions: [{ id: 'h', parentSession: '/s/t_parent.jsonl', records }],
  });

  it.each<[what: string, input: number, records: NonNullable<Session['records']>]>([
    [
      'all its answers',
      12,
      [
        [5, 60],
        [7, 70],
      ],
    ],
    [
      'the first of them',
      5,
      [
        [5, 60],
        [7, 70],
      ],
    ],
    [
      'the last of them',
      7,
      [
        [5, 60],
        [7, 70],
      ],
    ],
    [
      'some in the middle',
      5,
      [
        [1, 60],
        [2, 65],
        [3, 70],
        [4, 75],
      ],
    ],
    ['one of the moment of the result', 5, [[5, 100]]],
    [
      'answers with a compaction between',
      15,
      [
        [5, 60],
        [3, 65, 'compaction'],
        [7, 70],
      ],
    ],
    [
      'answers without it',
      12,
      [
        [5, 60],
        [3, 65, 'compaction'],
        [7, 70],
      ],
    ],
    [
      'answers with what a tool spent',
      15,
      [
        [5, 60],
        [3, 65, 'tool'],
        [7, 70],
      ],
    ],
    [
      'answers and a compaction, without that',
      15,
      [
        [5, 60],
        [9, 61, 'tool'],
        [3, 65, 'compaction'],
        [7, 70],
      ],
    ],
  ])('is about a session that its header ties to it, by %s', (_what, input, records) => {
    expect(about(result(input), heir(...records))).toEqual(['h']);
  });

  it.each<[what: string, input: number, records: NonNullable<Session['records']>]>([
    [
      'less than one',
      4,
      [
        [5, 60],
        [7, 70],
      ],
    ],
    [
      'more than all',
      13,
      [
        [5, 60],
        [7, 70],
      ],
    ],
    [
      'some that are not in a row',
      6,
      [
        [1, 60],
        [9, 65],
        [5, 70],
      ],
    ],
    ['what it answered later', 5, [[5, 101]]],
    ['what others claim of it', 5, [[5, 60, 'claim']]],
    ['nothing', 5, []],
  ])('is not about one by %s', (_what, input, records) => {
    expect(about(result(input), heir(...records))).toEqual([]);
  });

  it('compares every kind of token', () => {
    for (const name of ['output', 'cacheRead', 'cacheWrite']) {
      const unit = result(5, 100, { tokens: { ...noTokens, input: 5, [name]: 1 } });
      expect(about(unit, heir([5, 60]))).toEqual([]);
    }
    const reasoning = result(5, 100, { tokens: { ...noTokens, input: 5, reasoning: 1 } });
    expect(about(reasoning, heir([5, 60]))).toEqual(['h']);
  });

  it.each([
    ['names the parent by id', 'parent', ['h']],
    ['names it by a path in an odd directory', '/s/t_other.jsonl/t_parent.jsonl', ['h']],
    ['names it by a directory of that name', '/s/t_parent.jsonl/t_other.jsonl', []],
    ['names another one', '/s/t_other.jsonl', []],
    ['names nobody', undefined, []],
  ])('is about one whose header %s', (_what, parentSession, expected) => {
    const session = {
      id: 'h',
      records: [[5, 60]] as const,
      ...(parentSession && { parentSession }),
    };
    const other = { id: 'other' };
    expect(about(result(5), { sessions: [session, other] })).toEqual(expected);
  });

  it('is about a session that has two files, by what is in the first', () => {
    const spent = createSpentResults();
    const files = ['/s/t_h.jsonl', '/backup/t_h.jsonl'].map((path) =>
      fileOf({ id: 'h', path, parentSession: 'parent' }),
    );
    const tokens = { ...noTokens, input: 5 };
    for (const [index, file] of files.entries()) {
      spent.open(file);
      const unit = aUnit({ sessionId: 'h', entryId: `k${index}`, tokens, timeMs: 60 + index });
      spent.take({ unit, turnAtMs: null });
    }
    spent.take({ unit: result(10), turnAtMs: 50 });
    expect(spent.ties(files).map(({ sessionId }) => sessionId)).toEqual(['h']);
  });

  it('is about what a fork has copied of a session without a file, within a day', () => {
    const fork = (began: number, id = 'f') => ({
      id,
      parentSession: '/s/t_gone.jsonl',
      timeMs: 50 * hourMs,
      records: [
        [5, began],
        [9, 50 * hourMs],
      ] as const,
    });
    const found = (began: number, at = 40 * hourMs, input = 5) =>
      about(result(input, at), { sessions: [fork(began)] });
    expect(found(39 * hourMs)).toEqual(['f']);
    expect(found(40 * hourMs)).toEqual(['f']);
    expect(found(16 * hourMs)).toEqual(['f']);
    expect(found(16 * hourMs - 1)).toEqual([]);
    expect(found(40 * hourMs + 1)).toEqual([]);
    expect(found(39 * hourMs, 55 * hourMs, 9)).toEqual([]);
    expect(found(39 * hourMs, 40 * hourMs, 6)).toEqual([]);
  });

  it('is not about copies of a session that has a file, nor of its own session', () => {
    const copies = { id: 'f', parentSession: 'here', timeMs: 90, records: [[5, 60]] as const };
    expect(about(result(5), { sessions: [copies, { id: 'here' }] })).toEqual([]);
    expect(about(result(5, 100, { sessionId: 'parent' }), { sessions: [] })).toEqual([]);
    const spent = createSpentResults();
    const own = fileOf({ id: 'parent', parentSession: 'gone', timeMs: 90 });
    spent.open(own);
    spent.take({
      unit: aUnit({ sessionId: 'parent', tokens: { ...noTokens, input: 5 }, timeMs: 60 }),
      turnAtMs: null,
    });
    spent.take({ unit: result(5), turnAtMs: null });
    expect(spent.ties([own])).toEqual([]);
  });
});

describe('the results that are remembered', () => {
  it('are those of turns: sums, and what a tool has booked', () => {
    const spent = createSpentResults();
    const tool = aUnit({ kind: 'tool', turnEntryId: 'a', entryId: 'e2' });
    const units = [result(5), tool, aClaim({ entryId: 'e3' }), aUnit({ entryId: 'e4' })];
    for (const unit of units) spent.take({ unit, turnAtMs: 50, names: ['x'] });
    expect(spent.results).toMatchObject([
      { sessionId: 'parent', entryId: 'e1', timeMs: 100, turnAtMs: 50, names: ['x'] },
      { sessionId: 's', entryId: 'e2', tokens: tool.tokens },
    ]);
    expect(spent.results).toHaveLength(2);
  });

  it('have no names unless they say some', () => {
    const spent = createSpentResults();
    spent.take({ unit: result(5), turnAtMs: null });
    expect(spent.results[0]?.names).toEqual([]);
  });
});
