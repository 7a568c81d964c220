/** Which subagents the files show, and what these recorded themselves of a parent's claims. */
import { describe, expect, it } from 'vitest';
import { computeRests } from '../../../../collector/reconcile/claims.ts';
import { addUnit, noSums } from '../../../../collector/reconcile/figures.ts';
import { booksOfFiles } from '../../../../collector/reconcile/files/file-books.ts';
import type { FileChild } from '../../../../collector/reconcile/files/file-children.ts';
import type { FileSession } from '../../../../collector/reconcile/files/file-session.ts';
import type { Unit } from '../../../../collector/reconcile/unit.ts';
import { aClaim, aUnit, noTokens } from '../support/units.ts';

interface Case {
  readonly claims: readonly Unit[];
  readonly children?: readonly FileChild[];
  readonly spent?: readonly Unit[];
  /** Sessions whose files have an answer, by response key. */
  readonly answers?: Readonly<Record<string, string>>;
}

/** The counted part of the parents' claims: `session key input`. */
function counted({ claims, children = [], spent = [], answers = {} }: Case): readonly string[] {
  const sessions = new Map<string, FileSession>();
  for (const unit of spent) {
    const session =
      sessions.get(unit.sessionId) ??
      ({ sessionId: unit.sessionId, sums: noSums() } as FileSession);
    addUnit(session.sums, unit);
    sessions.set(unit.sessionId, session);
  }
  const books = booksOfFiles({
    claims,
    children,
    ties: [],
    results: [],
    unitsOf: () => expect.fail('nothing comes late'),
    sessions,
    answererOf: (key) => {
      expect(key).toMatch(/^response:/);
      return answers[key] ?? null;
    },
  });
  return [...books].flatMap(([session, book]) =>
    [...computeRests(book)].map(([key, { inputTokens }]) => `${session} ${key} ${inputTokens}`),
  );
}

const of = (input: number) => ({ tokens: { ...noTokens, input }, nanoUsd: input });
const claim = (claimKey: string, input: number, over: Partial<Unit> = {}) =>
  aClaim({ sessionId: 'parent', claimKey, entryId: `${claimKey} ${input}`, ...of(input), ...over });
const spend = (sessionId: string, input: number, over: Partial<Unit> = {}) =>
  aUnit({ sessionId, entryId: `own ${input}`, ...of(input), ...over });
const child = (claimKey: string, sessionId = 'child', parentSessionId = 'parent'): FileChild => ({
  sessionId,
  parentSessionId,
  claimKey,
});

describe('what counts of claims, by the files', () => {
  it.each<[what: string, given: Case, counts: readonly string[]]>([
    [
      'all of them, where no subagent has a file',
      { claims: [claim('agent:A', 100)] },
      ['parent agent:A 100'],
    ],
    [
      'what the subagent has not',
      {
        claims: [claim('agent:A', 100)],
        children: [child('agent:A')],
        spent: [spend('child', 60)],
      },
      ['parent agent:A 40'],
    ],
    [
      'nothing, where it has all',
      {
        claims: [claim('agent:A', 100)],
        children: [child('agent:A')],
        spent: [spend('child', 100)],
      },
      [],
    ],
    [
      'all, where its file has nothing',
      { claims: [claim('agent:A', 100)], children: [child('agent:A')] },
      ['parent agent:A 100'],
    ],
    [
      'a subagent’s answers alone cover: side calls are in no claim',
      {
        claims: [claim('agent:A', 100)],
        children: [child('agent:A')],
        spent: [spend('child', 60, { kind: 'side_call' })],
      },
      ['parent agent:A 100'],
    ],
    [
      'what the subagent has not, whatever another one answered',
      {
        claims: [claim('agent:A', 100), claim('response:1', 30)],
        children: [child('agent:A')],
        spent: [spend('child', 60), spend('other', 30)],
        answers: { 'response:1': 'other' },
      },
      ['parent agent:A 40'],
    ],
    [
      '... or a tool of its own booked',
      {
        claims: [claim('agent:A', 100), claim('', 20, { claimKey: null, kind: 'tool' })],
        children: [child('agent:A')],
        spent: [spend('child', 60)],
      },
      ['parent agent:A 40', 'parent turn:t1 20'],
    ],
    [
      'an answer that somebody has, nothing',
      { claims: [claim('response:1', 100)], answers: { 'response:1': 'child' } },
      [],
    ],
    [
      'an answer that nobody has',
      { claims: [claim('response:1', 100)] },
      ['parent response:1 100'],
    ],
    [
      'an answer of its own session',
      { claims: [claim('response:1', 100)], answers: { 'response:1': 'parent' } },
      ['parent response:1 100'],
    ],
  ])('is %s', (_what, given, counts) => expect(counted(given)).toEqual(counts));

  it('is the turn’s sum beyond its subagents’ answers claimed one by one', () => {
    const claims = [claim('response:1', 30), claim('turn:t1', 100)];
    const answers = { 'response:1': 'child' };
    expect(counted({ claims, answers, spent: [spend('child', 30), spend('child', 50)] })).toEqual([
      'parent turn:t1 50',
    ]);
    expect(counted({ claims, answers, spent: [spend('child', 20)] })).toEqual([
      'parent turn:t1 100',
    ]);
  });

  it('is under the result itself where no answer stands above it', () => {
    const claims = [
      claim('response:1', 30, { turnEntryId: null, entryId: 'e7' }),
      claim('turn:e7', 100, { turnEntryId: null, entryId: 'e7' }),
    ];
    expect(
      counted({ claims, answers: { 'response:1': 'child' }, spent: [spend('child', 80)] }),
    ).toEqual(['parent turn:e7 50']);
  });

  it('has a subagent once for each turn repeating it, with all its answers', () => {
    const claims = [claim('response:1', 30), claim('response:2', 10), claim('turn:t1', 100)];
    const answers = { 'response:1': 'child', 'response:2': 'child' };
    expect(counted({ claims, answers, spent: [spend('child', 90)] })).toEqual([
      'parent turn:t1 50',
    ]);
  });

  it('takes each measure off for itself', () => {
    const tokens = {
      input: 100,
      output: 100,
      cacheRead: 100,
      cacheWrite: 100,
      reasoning: 50,
      cacheWrite1h: 0,
    };
    const some = {
      input: 10,
      output: 20,
      cacheRead: 30,
      cacheWrite: 40,
      reasoning: 5,
      cacheWrite1h: 0,
    };
    const claims = [
      claim('response:1', 0, { tokens: some, nanoUsd: 7 }),
      claim('turn:t1', 0, { tokens, nanoUsd: 1_000 }),
    ];
    const sessions = new Map([['child', { sessionId: 'child', sums: noSums() } as FileSession]]);
    addUnit(
      sessions.get('child')?.sums ?? noSums(),
      aUnit({ sessionId: 'child', tokens, nanoUsd: 1_000 }),
    );
    const books = booksOfFiles({
      claims,
      children: [],
      ties: [],
      results: [],
      unitsOf: () => expect.fail('nothing comes late'),
      sessions,
      answererOf: () => 'child',
    });
    const rest = computeRests(books.get('parent') ?? expect.fail('no book')).get('turn:t1');
    expect(rest).toMatchObject({
      inputTokens: 10n,
      outputTokens: 20n,
      cacheReadTokens: 30n,
      cacheWriteTokens: 40n,
      reasoningTokens: 5n,
      nanoUsd: 7n,
    });
  });

  describe('of subagents of subagents', () => {
    const nested = (key: string, input = 20) => claim(key, input, { sessionId: 'child' });

    it.each<[what: string, given: Case, counts: readonly string[]]>([
      [
        'a name that both claim: once, where the subagent claims it',
        { claims: [claim('agent:A.B', 20), nested('agent:A.B')], children: [child('agent:A')] },
        ['child agent:A.B 20'],
      ],
      [
        'an answer that both claim: once',
        { claims: [claim('response:1', 20), nested('response:1')], children: [child('agent:A')] },
        ['child response:1 20'],
      ],
      [
        'a sum: it is in the sum of the turn that started the subagent',
        { claims: [claim('turn:t1', 100), nested('turn:t9')], children: [child('turn:t1')] },
        ['parent turn:t1 80', 'child turn:t9 20'],
      ],
      [
        'a sum of a subagent with a name: it is in nobody else’s',
        { claims: [claim('agent:A', 100), nested('turn:t9')], children: [child('agent:A')] },
        ['parent agent:A 100', 'child turn:t9 20'],
      ],
      [
        'what a tool booked on its own result: as that result',
        {
          claims: [claim('agent:A', 100), nested('', 20)].map((unit) =>
            unit.claimKey === '' ? { ...unit, claimKey: null, kind: 'tool' } : unit,
          ),
          children: [child('agent:A')],
        },
        ['parent agent:A 100', 'child turn:t1 20'],
      ],
    ])('%s', (_what, given, counts) => expect(counted(given)).toEqual(counts));
  });
});

it('counts no more of a price than was claimed where one answer cost more than all have', () => {
  const claims = [
    claim('response:1', 30, { nanoUsd: 30 }),
    claim('turn:t1', 100, { nanoUsd: 100 }),
  ];
  const sessions = new Map([['child', { sessionId: 'child', sums: noSums() } as FileSession]]);
  addUnit(sessions.get('child')?.sums ?? noSums(), spend('child', 80, { nanoUsd: 20 }));
  const books = booksOfFiles({
    claims,
    children: [],
    ties: [],
    results: [],
    unitsOf: () => expect.fail('nothing comes late'),
    sessions,
    answererOf: () => 'child',
  });
  const rest = computeRests(books.get('parent') ?? expect.fail('no book')).get('turn:t1');
  expect(rest).toMatchObject({ inputTokens: 50n, nanoUsd: 100n });
});
