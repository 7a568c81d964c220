/** What files have from before the floor, and what the totals count of that time. */
import { describe, expect, it } from 'vitest';
import type { Difference } from '../../../collector/reconcile/difference.ts';
import { addUnit, type Figures, noFigures, noSums } from '../../../collector/reconcile/figures.ts';
import type { FileFacts } from '../../../collector/reconcile/files/file-facts.ts';
import { createFindings } from '../../../collector/reconcile/findings.ts';
import { judgeSealed } from '../../../collector/reconcile/judge-sealed.ts';
import type { ViewFacts } from '../../../collector/reconcile/view-facts.ts';
import { aUnit, noTokens } from './support/units.ts';

/** Of one kind: how many records, and how much input in total. */
type Sum = readonly [kind: string, records: number, input: number];

interface Session {
  readonly inFiles?: readonly Sum[];
  /** Of these, what is older than its file. */
  readonly inherited?: readonly Sum[];
  readonly inViews?: readonly Sum[];
  readonly copiesOf?: readonly string[];
  readonly parent?: string;
  /** What counts as its tools', at any time. */
  readonly ofTools?: number;
  readonly isIgnored?: boolean;
  readonly hasFile?: boolean;
}

const figuresOf = (records: number, input: number): Figures => ({
  ...noFigures(),
  records: BigInt(records),
  inputTokens: BigInt(input),
});

function sumsOf(list: readonly Sum[] = []) {
  const sums = noSums();
  for (const [kind, records, input] of list)
    for (let number = 0; number < records; number += 1)
      addUnit(
        sums,
        aUnit({
          kind,
          tokens: { ...noTokens, input: number === 0 ? input : 0 },
          nanoUsd: 0,
          reported: input > 0,
        }),
      );
  return sums;
}

function findingsOf(
  given: Readonly<Record<string, Session>>,
): Record<string, readonly Difference[]> {
  const all = Object.entries(given);
  const files = {
    sealed: new Map(
      all.flatMap(([id, { inFiles, inherited }]) =>
        inFiles === undefined
          ? []
          : [[id, { sums: sumsOf(inFiles), inherited: sumsOf(inherited) }] as const],
      ),
    ),
    sessions: new Map(
      all.flatMap(([id, { hasFile = true, copiesOf = [] }]) =>
        hasFile
          ? [
              [
                id,
                {
                  files: [{ path: `/s/${id}`, header: { parentSession: null } }],
                  copies: new Map(copiesOf.map((owner) => [owner, 1])),
                  sessionId: id,
                  sums: noSums(),
                },
              ] as const,
            ]
          : [],
      ),
    ),
    children: all.flatMap(([sessionId, { parent }]) =>
      parent === undefined ? [] : [{ sessionId, parentSessionId: parent, claimKey: 'agent:A' }],
    ),
    sealedRepeaters: new Map(),
  };
  const views = {
    beforeFloor: new Map(
      all.map(([id, { inViews = [] }]) => [
        id,
        new Map(inViews.map(([kind, records, input]) => [kind, figuresOf(records, input)])),
      ]),
    ),
    ofTools: new Map(all.map(([id, { ofTools = 0 }]) => [id, figuresOf(1, ofTools)])),
    ignored: new Set(all.flatMap(([id, { isIgnored }]) => (isIgnored === true ? [id] : []))),
  };
  const findings = createFindings();
  judgeSealed(files as unknown as FileFacts, views as unknown as ViewFacts, findings);
  return Object.fromEntries(
    all.flatMap(([id]) => (findings.of(id).length === 0 ? [] : [[id, findings.of(id)]])),
  );
}

/** `session reason xcount`. */
const told = (given: Parameters<typeof findingsOf>[0]) =>
  Object.entries(findingsOf(given)).flatMap(([id, found]) =>
    found.map(({ reason, count }) => `${id} ${reason} x${count}`),
  );

describe('a session of before the floor', () => {
  it.each<[what: string, session: Session, expected: readonly string[]]>([
    ['counts as it is', { inFiles: [['turn', 2, 9]], inViews: [['turn', 2, 9]] }, ['s sealed x2']],
    ['counts more', { inFiles: [['turn', 2, 9]], inViews: [['turn', 3, 12]] }, ['s sealed x2']],
    ['counts nowhere', { inFiles: [['turn', 2, 9]] }, ['s older_than_seal x2']],
    [
      'counts in part',
      { inFiles: [['turn', 3, 9]], inViews: [['turn', 1, 3]] },
      ['s older_than_seal x2', 's sealed x1'],
    ],
    [
      'counts under another kind',
      { inFiles: [['turn', 1, 9]], inViews: [['usage', 1, 9]] },
      ['s older_than_seal x1'],
    ],
    [
      'counts in part, of several kinds',
      {
        inFiles: [
          ['turn', 2, 9],
          ['usage', 2, 3],
        ],
        inViews: [
          ['turn', 2, 9],
          ['usage', 1, 1],
        ],
      },
      ['s older_than_seal x1', 's sealed x3'],
    ],
    [
      'counts with less of something',
      { inFiles: [['turn', 2, 9]], inViews: [['turn', 2, 8]] },
      ['s sealed_differs x1'],
    ],
    [
      'counts with more of something, in as many records',
      { inFiles: [['turn', 2, 9]], inViews: [['turn', 2, 10]] },
      ['s sealed_differs x1'],
    ],
    [
      'counts with more, of tools: they may claim it',
      { inFiles: [['tool', 2, 9]], inViews: [['tool', 2, 10]] },
      ['s sealed x2'],
    ],
    [
      'counts with more of one kind',
      {
        inFiles: [
          ['turn', 1, 9],
          ['usage', 1, 3],
        ],
        inViews: [
          ['turn', 1, 9],
          ['usage', 1, 4],
        ],
      },
      ['s sealed_differs x1'],
    ],
    [
      'is of an ignored project',
      { inFiles: [['turn', 2, 9]], isIgnored: true },
      ['s ignored_project x2'],
    ],
  ])('%s', (_what, session, expected) => expect(told({ s: session })).toEqual(expected));

  it('is named with its file, and with what both sides say', () => {
    const missing = findingsOf({ s: { inFiles: [['turn', 1, 9]] } });
    expect(missing.s?.[0]).toMatchObject({ file: '/s/s' });
    const wrong = findingsOf({ s: { inFiles: [['turn', 1, 9]], inViews: [['turn', 1, 8]] } });
    expect(wrong.s?.[0]).toMatchObject({
      inFiles: expect.stringContaining('1 records, 9 in'),
      inViews: expect.stringContaining('1 records, 8 in'),
    });
  });
});

describe('a family of sessions with copies of each other', () => {
  it.each<[what: string, given: Readonly<Record<string, Session>>, expected: readonly string[]]>([
    [
      'counts copies in any of them',
      {
        s: { inFiles: [['turn', 2, 9]], inViews: [['turn', 1, 5]] },
        fork: { inFiles: [['turn', 1, 3]], inViews: [['turn', 2, 7]], copiesOf: ['s'] },
      },
      ['s sealed x2', 'fork sealed x1'],
    ],
    [
      'lacks what none of them counts',
      {
        s: { inFiles: [['turn', 2, 9]], inViews: [['turn', 1, 5]] },
        fork: { inFiles: [['turn', 1, 3]], inViews: [['turn', 1, 3]], copiesOf: ['s'] },
      },
      ['s older_than_seal x1', 's sealed x1', 'fork sealed x1'],
    ],
    [
      'counts copies of one without a file there, no more than there are',
      {
        gone: { inViews: [['turn', 5, 50]], hasFile: false },
        fork: {
          inFiles: [['turn', 3, 12]],
          inherited: [['turn', 2, 8]],
          inViews: [],
          copiesOf: ['gone'],
        },
      },
      ['fork older_than_seal x1', 'fork sealed x2'],
    ],
    [
      'lacks figures that none of them counts',
      {
        s: { inFiles: [['turn', 1, 9]], inViews: [['turn', 1, 8]] },
        fork: { copiesOf: ['s'] },
      },
      ['s sealed_differs x1'],
    ],
    [
      'may differ in figures within the family',
      {
        s: { inFiles: [['turn', 1, 9]], inViews: [['turn', 1, 10]] },
        fork: { copiesOf: ['s'] },
      },
      ['s sealed x1'],
    ],
  ])('%s', (_what, given, expected) => expect(told(given)).toEqual(expected));
});

describe('a subagent whose answers its parent’s tools claim', () => {
  const kid = (input: number, more: Partial<Session> = {}): Session => ({
    inFiles: [['turn', 1, input]],
    parent: 'p',
    ...more,
  });

  it.each<[what: string, given: Readonly<Record<string, Session>>, expected: readonly string[]]>([
    ['counts there', { p: { ofTools: 9 }, kid: kid(9) }, ['kid subagent_claim x1']],
    ['counts there with others', { p: { ofTools: 10 }, kid: kid(9) }, ['kid subagent_claim x1']],
    [
      'counts nowhere where less is claimed',
      { p: { ofTools: 8 }, kid: kid(9) },
      ['kid older_than_seal x1'],
    ],
    [
      'counts there beside what the tools spent themselves',
      { p: { ofTools: 12, inFiles: [['tool', 1, 3]], inViews: [['tool', 1, 12]] }, kid: kid(9) },
      ['p sealed x1', 'kid subagent_claim x1'],
    ],
    [
      'counts nowhere where the tools spent that themselves',
      { p: { ofTools: 12, inFiles: [['tool', 1, 4]], inViews: [['tool', 1, 12]] }, kid: kid(9) },
      ['p sealed x1', 'kid older_than_seal x1'],
    ],
    [
      'counts there once: the next one needs a claim of its own',
      { p: { ofTools: 17 }, kid1: kid(9), kid2: kid(9) },
      ['kid1 subagent_claim x1', 'kid2 older_than_seal x1'],
    ],
    [
      'counts there beside another one',
      { p: { ofTools: 18 }, kid1: kid(9), kid2: kid(9) },
      ['kid1 subagent_claim x1', 'kid2 subagent_claim x1'],
    ],
    [
      'counts there by the order of ids, whatever the order of files',
      { p: { ofTools: 9 }, kid2: kid(9), kid1: kid(9) },
      ['kid2 older_than_seal x1', 'kid1 subagent_claim x1'],
    ],
    [
      'counts there but for what reported nothing',
      {
        p: { ofTools: 9 },
        kid: kid(9, {
          inFiles: [
            ['turn', 2, 9],
            ['turn', 1, 0],
          ],
        }),
      },
      ['kid older_than_seal x1', 'kid subagent_claim x2'],
    ],
    [
      'counts there as far as it is in no total itself',
      {
        p: { ofTools: 4 },
        kid: { inFiles: [['turn', 2, 9]], inViews: [['turn', 1, 5]], parent: 'p' },
      },
      ['kid subagent_claim x1', 'kid sealed x1'],
    ],
    [
      'counts not there with an answer that used nothing: no claim says that',
      {
        p: { ofTools: 9 },
        kid: { inFiles: [['turn', 2, 9]], inViews: [['turn', 1, 9]], parent: 'p' },
      },
      ['kid older_than_seal x1', 'kid sealed x1'],
    ],
    [
      'counts not there with anything but answers',
      { p: { ofTools: 9 }, kid: { inFiles: [['usage', 1, 9]], parent: 'p' } },
      ['kid older_than_seal x1'],
    ],
    [
      'counts nowhere with what reported nothing: that is in no claim',
      { p: { ofTools: 9 }, kid: { inFiles: [['turn', 1, 0]], parent: 'p' } },
      ['kid older_than_seal x1'],
    ],
  ])('%s', (_what, given, expected) => expect(told(given)).toEqual(expected));
});
