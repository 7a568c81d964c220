/** What the witnesses see in figures alone: spend that counts twice, whatever rule let it. */
import { describe, expect, it } from 'vitest';
import { addAccount, noClaims } from '../../../collector/reconcile/claim-book.ts';
import { type Difference, difference } from '../../../collector/reconcile/difference.ts';
import {
  addUnit,
  type Figures,
  noFigures,
  noSums,
  unitFigures,
} from '../../../collector/reconcile/figures.ts';
import type { FileFacts } from '../../../collector/reconcile/files/file-facts.ts';
import { createFindings } from '../../../collector/reconcile/findings.ts';
import type { LogFacts } from '../../../collector/reconcile/log-facts.ts';
import { claimKeyOf, type Unit } from '../../../collector/reconcile/unit.ts';
import { reportWitnesses } from '../../../collector/reconcile/witnesses.ts';
import { accounted } from './support/claims.ts';
import { emptyLog } from './support/empty-log.ts';
import { aUnit, noTokens } from './support/units.ts';

interface Session {
  readonly id: string;
  /** What the log counts. */
  readonly units?: readonly Unit[];
  /** By key: what subagents account for. */
  readonly accounts?: readonly (readonly [key: string, input: number])[];
  readonly beganMs?: number;
  /** All usage in its files. */
  readonly everything?: Figures;
  readonly sealedUnits?: number;
  readonly unreadableLines?: number;
  readonly privateUnits?: number;
  readonly otherAgentsUnits?: number;
  readonly hasFile?: boolean;
}

const none = { sealedUnits: 0, unreadableLines: 0, privateUnits: 0, otherAgentsUnits: 0 };
/** More than any session here counts. */
const everything: Figures = {
  ...noFigures(),
  inputTokens: 1_000_000n,
  outputTokens: 1_000_000n,
  nanoUsd: 1_000_000_000n,
};

function findingsOf(
  sessions: readonly Session[],
  files: Partial<FileFacts> = {},
  known: Readonly<Record<string, Difference>> = {},
): Record<string, readonly Difference[]> {
  const logged = sessions.map(({ id, units = [], accounts = [] }) => {
    const [sums, book] = [noSums(), noClaims()];
    for (const unit of units) {
      addUnit(sums, unit);
      if (claimKeyOf(unit) !== null) book.claims.push(unit);
    }
    for (const [key, input] of accounts) addAccount(book, 'x', [key], accounted(input));
    return [id, { sessionId: id, sums, book, imported: true, firstMs: 0 }] as const;
  });
  const filed = sessions
    .filter(({ hasFile = true }) => hasFile)
    .map(({ id, beganMs = 0, ...more }) => {
      const header = { sessionId: id, timeMs: beganMs };
      return [
        id,
        { sessionId: id, files: [{ path: `/s/${id}`, header }], everything, ...none, ...more },
      ];
    });
  const facts = {
    results: [],
    ties: [],
    sameAnswers: new Map(),
    sessions: new Map(filed as never),
    ...files,
  };
  const log: LogFacts = { ...emptyLog, sessions: new Map(logged) };
  const findings = createFindings();
  for (const [id, found] of Object.entries(known)) findings.add(id, found);
  reportWitnesses(facts as unknown as FileFacts, log, findings);
  return Object.fromEntries(
    sessions.flatMap(({ id }) => (findings.of(id).length > 0 ? [[id, findings.of(id)]] : [])),
  );
}

/** `session reason`. */
const told = (...given: Parameters<typeof findingsOf>) =>
  Object.entries(findingsOf(...given)).flatMap(([id, found]) =>
    found.map(({ reason }) => `${id} ${reason}`),
  );

describe('a tool result that counts beside sessions that it is the sum of', () => {
  const tokensOf = (input: number) => ({ ...noTokens, input, output: input > 0 ? 1 : 0 });
  const answer = (input: number, kind = 'turn') => aUnit({ kind, tokens: tokensOf(input) });
  const toolOf = (entryId: string, input: number, output = 1, timeMs = 30) =>
    aUnit({
      kind: 'tool',
      sessionId: 'parent',
      turnEntryId: 'a',
      entryId,
      timeMs,
      tokens: { ...noTokens, input, output },
      reported: input > 0,
    });

  /** Those that the results are the sum of; the turn was answered at 10. */
  function summedIn(
    tools: readonly Unit[],
    children: readonly Session[],
    accounts: Session['accounts'] = [],
    turnAtMs: number | null = 10,
  ): readonly string[] {
    const results = tools.map(({ sessionId, entryId, timeMs, tokens }) => {
      return { sessionId, entryId, timeMs, turnAtMs, tokens, names: [], runs: [], tool: '' };
    });
    const parent = { id: 'parent', beganMs: 10, units: tools, accounts };
    const found = findingsOf([parent, ...children], { results });
    expect(Object.keys(found).filter((id) => id !== 'parent')).toEqual([]);
    return (found.parent ?? []).map((each) => {
      expect(each).toMatchObject({ reason: 'counted_twice', kind: 'tool', file: '/s/parent' });
      return `${each.entryId} ${each.otherSessionId}`;
    });
  }
  const child = (id: string, beganMs: number, ...units: readonly Unit[]) => ({
    id,
    beganMs,
    units,
  });

  it.each<[what: string, tool: Unit, children: readonly Session[], found: readonly string[]]>([
    ['of one', toolOf('e1', 40), [child('x', 20, answer(40))], ['e1 x']],
    [
      'of two among others',
      toolOf('e1', 100, 2),
      [child('x', 20, answer(40)), child('y', 21, answer(7)), child('z', 22, answer(60))],
      ['e1 x', 'e1 z'],
    ],
    [
      'of its answers, without a compaction',
      toolOf('e1', 40),
      [child('x', 20, answer(40), answer(9, 'compaction'))],
      ['e1 x'],
    ],
    [
      'of its answers and a compaction, without what tools spent',
      toolOf('e1', 49, 2),
      [child('x', 20, answer(40), answer(9, 'compaction'), answer(3, 'tool'))],
      ['e1 x'],
    ],
    [
      'of all that it counts',
      toolOf('e1', 52, 3),
      [child('x', 20, answer(40), answer(9, 'compaction'), answer(3, 'tool'))],
      ['e1 x'],
    ],
    ['of one that began with the turn', toolOf('e1', 40), [child('x', 10, answer(40))], ['e1 x']],
    ['of one that began with the result', toolOf('e1', 40), [child('x', 30, answer(40))], ['e1 x']],
  ])('is named: %s', (_what, tool, children, found) => {
    expect(summedIn([tool], children)).toEqual(found);
  });

  it.each<[what: string, tool: Unit, children: readonly Session[]]>([
    ['another sum', toolOf('e1', 41), [child('x', 20, answer(40))]],
    ['another kind of token', toolOf('e1', 40, 2), [child('x', 20, answer(40))]],
    ['nothing', toolOf('e1', 0, 0), [child('x', 20, answer(0))]],
    ['a session from before the turn', toolOf('e1', 40), [child('x', 9, answer(40))]],
    ['a session from after the result', toolOf('e1', 40), [child('x', 31, answer(40))]],
    ['a session that counts nothing', toolOf('e1', 40), [child('x', 20)]],
    ['one session twice', toolOf('e1', 80, 2), [child('x', 20, answer(40))]],
  ])('is not named for %s', (_what, tool, children) => {
    expect(summedIn([tool], children)).toEqual([]);
  });

  it('is not named for what its own session counts', () => {
    const own = aUnit({ sessionId: 'parent', tokens: tokensOf(40) });
    const tools = [toolOf('e1', 40)];
    const results = [
      {
        sessionId: 'parent',
        entryId: 'e1',
        timeMs: 30,
        turnAtMs: 10,
        tokens: tokensOf(40),
        names: [],
        runs: [],
        tool: '',
      },
    ];
    expect(told([{ id: 'parent', beganMs: 20, units: [...tools, own] }], { results })).toEqual([]);
  });

  it('is named of any time before it where nobody knows its turn', () => {
    expect(summedIn([toolOf('e1', 40)], [child('x', 0, answer(40))], [], null)).toEqual(['e1 x']);
  });

  const two = [child('x', 20, answer(40)), child('y', 21, answer(60))];
  /** What accounts cover has no output here. */
  const silent = [40, 60].map((input, index) =>
    child(index === 0 ? 'x' : 'y', 20, aUnit({ tokens: { ...noTokens, input } })),
  );
  it.each<
    [what: string, tools: readonly Unit[], accounts: Session['accounts'], found: readonly string[]]
  >([
    ['all of it is covered: it counts nothing', [toolOf('e1', 40, 0)], [['turn:a', 40]], []],
    ['what is covered may be it', [toolOf('e1', 40, 0), toolOf('e2', 60, 0)], [['turn:a', 60]], []],
    ['less than it is covered', [toolOf('e1', 100, 0)], [['turn:a', 99]], ['e1 x', 'e1 y']],
  ])('is named only as far as nothing covers it: %s', (_what, tools, accounts, found) => {
    expect(summedIn(tools, silent, accounts)).toEqual(found);
  });

  it('is looked for among sixteen sessions', () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, index) => child(`s${index}`, 20, answer(1)));
    const last = child('last', 20, answer(500));
    expect(summedIn([toolOf('e1', 500)], [...many(15), last])).toEqual(['e1 last']);
    expect(summedIn([toolOf('e1', 500)], [...many(16), last])).toEqual([]);
    const silent = many(16).map((session) => ({ ...session, units: [] }));
    expect(summedIn([toolOf('e1', 500)], [...silent, last])).toEqual(['e1 last']);
  });

  it('says which files it is the sum of', () => {
    const results = [
      {
        sessionId: 'gone',
        entryId: 'e1',
        timeMs: 30,
        turnAtMs: 10,
        tokens: { ...tokensOf(100), output: 2 },
        names: [],
        runs: [],
        tool: '',
      },
    ];
    const gone = { id: 'gone', hasFile: false, units: [toolOf('e1', 100, 2)] };
    expect(findingsOf([gone, ...two], { results }).gone).toEqual([
      {
        reason: 'counted_twice',
        explained: false,
        count: 1,
        kind: 'tool',
        entryId: 'e1',
        otherSessionId: 'x',
        inFiles: 'the sum of /s/x, /s/y',
      },
      expect.objectContaining({ otherSessionId: 'y' }),
    ]);
  });

  it('is none of the log where its session is not in it', () => {
    const results = [
      {
        sessionId: 'unknown',
        entryId: 'e1',
        timeMs: 30,
        turnAtMs: 10,
        tokens: tokensOf(40),
        names: [],
        runs: [],
        tool: '',
      },
    ];
    expect(told(two, { results })).toEqual([]);
  });
});

describe('the same answers in two sessions', () => {
  const sameAnswers = new Map([['other', new Map([['one', 3]])]]);
  const [one, other] = ['one', 'other'].map((id) => ({ id, units: [aUnit({ sessionId: id })] }));

  it('are named where both count', () => {
    expect(findingsOf([one, other] as Session[], { sameAnswers })).toEqual({
      other: [
        {
          reason: 'same_answers',
          explained: false,
          count: 3,
          file: '/s/other',
          otherSessionId: 'one',
        },
      ],
    });
  });

  it.each([
    ['one is not in the log', [other]],
    ['one counts no answer', [{ id: 'one', units: [aUnit({ kind: 'usage' })] }, other]],
    ['the other counts none', [one, { id: 'other', units: [] }]],
  ])('are not where %s', (_what, sessions) => {
    expect(told(sessions as Session[], { sameAnswers })).toEqual([]);
  });
});

describe('a session that counts more than its files have', () => {
  const tokens = {
    input: 1,
    output: 2,
    cacheRead: 3,
    cacheWrite: 4,
    reasoning: 0,
    cacheWrite1h: 0,
  };
  const unit = aUnit({ tokens, nanoUsd: 5 });
  const counting = (more: Partial<Session> = {}): Session => ({
    id: 'one',
    units: [unit],
    everything: unitFigures(unit),
    ...more,
  });

  it.each([
    'inputTokens',
    'outputTokens',
    'cacheReadTokens',
    'cacheWriteTokens',
    'nanoUsd',
  ] as const)('is named by any of its figures: %s', (name) => {
    const figures = unitFigures(unit);
    expect(told([counting()])).toEqual([]);
    expect(told([counting({ everything: { ...figures, [name]: figures[name] + 1n } })])).toEqual(
      [],
    );
    expect(
      findingsOf([counting({ everything: { ...figures, [name]: figures[name] - 1n } })]),
    ).toEqual({ one: [{ reason: 'exceeds_file', explained: false, count: 1, file: '/s/one' }] });
  });

  const less = { everything: noFigures() };
  it.each<[what: string, more: Partial<Session>]>([
    ['is sealed', { sealedUnits: 1 }],
    ['cannot be read', { unreadableLines: 1 }],
    ['is private', { privateUnits: 1 }],
    ['is another agent’s', { otherAgentsUnits: 1 }],
    ['is private, and as much another agent’s', { privateUnits: 1, otherAgentsUnits: 1 }],
    ['is private, and as much cannot be read', { privateUnits: 1, unreadableLines: 1 }],
    ['is sealed, and as much cannot be read', { sealedUnits: 1, unreadableLines: 1 }],
  ])('is not where something of it %s', (_what, more) => {
    expect(told([counting({ ...less, ...more })])).toEqual([]);
  });

  it('is not where a fault of it is known, which may be why', () => {
    expect(told([counting(less)], {}, { one: difference('tokens_differ', 1) })).toEqual([
      'one tokens_differ',
    ]);
    expect(told([counting(less)], {}, { one: difference('copied', 1) })).toEqual([
      'one copied',
      'one exceeds_file',
    ]);
  });

  it('is not where it has no file, or is not in the log', () => {
    expect(told([counting({ ...less, hasFile: false })])).toEqual([]);
    expect(told([counting({ ...less, units: [] })])).toEqual([]);
  });
});
