import type { Session } from '@pi-ledger/contract/answers';
import { describe, expect, it } from 'vitest';
import {
  printSessions,
  printTrees,
} from '../../../../../collector/answers/sessions/print/table.ts';
import { treesOf } from '../../../../../collector/answers/sessions/print/tree.ts';
import { sumFigures } from '../../../../../collector/answers/spend/sum-figures.ts';
import type { Terminal } from '../../../../../collector/cli/command.ts';
import { terminalOn } from '../../../../../collector/cli/output/terminal.ts';

const rootId = '01a201df-657d-7346-9e8f-7624989e59e6';
const forkId = '01a201df-6c5e-719e-9643-babdfe480137';
const subagentId = '01a201df-6d2a-7643-a7cb-66eb5c24cc61';

const session = (options: Partial<Session>): Session => ({
  ...sumFigures([]),
  id: rootId,
  parentSessionId: null,
  rootSessionId: rootId,
  startedAt: '2026-11-22T08:00:00.000Z',
  lastSeenAt: '2026-11-22T09:00:00.000Z',
  endedAt: null,
  project: 'shop',
  branch: null,
  user: 'ada',
  claimedUser: 'ada',
  attribution: 'live',
  machine: 'laptop',
  host: 'pi',
  hostVersion: '1.5.2',
  mode: 'print',
  agentKind: 'main',
  agentName: null,
  relation: null,
  prompts: 1,
  turns: 2,
  toolCalls: 0,
  compactions: 0,
  copies: [],
  records: 1,
  inputTokens: 10_000,
  meteredNanoUsd: '1000000000',
  ...options,
});

const copy = { session: forkId, entries: 21, spendEntries: 1, ownerAssumed: false };
const family = [
  session({ project: 'lab/a-directory-with-a-name/that-goes-on-and-on', copies: [copy] }),
  session({ id: forkId, parentSessionId: rootId, relation: 'fork' }),
  session({
    id: subagentId,
    parentSessionId: forkId,
    relation: 'subagent',
    agentName: 'ExploreTheWholeRepository.AndThenSome',
  }),
];

function printed(columns: number | null, print: (terminal: Terminal) => void): string[] {
  const lines: string[] = [];
  print(
    terminalOn({
      env: {},
      columns,
      colour: false,
      now: () => new Date(0),
      print: (line) => lines.push(line),
      complain: () => undefined,
    }),
  );
  return lines;
}

const printFamily = (columns: number | null, sessions: readonly Session[] = family) =>
  printed(columns, (terminal) =>
    printTrees(treesOf([rootId], sessions), terminal, { notes: [], empty: '' }),
  );

describe('session trees on a terminal', () => {
  it('fit into 100 columns, with short ids and what each session is', () => {
    const lines = printFamily(100).slice(0, 5);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100);
    expect(lines.map((line) => line.slice(0, 51).trimEnd())).toEqual([
      'session                  relation     project',
      '01a201df-65, 3 sessions',
      '├─ itself                             lab/a-d…and-o',
      '└─ 01a201df-6c           fork         shop',
      '   └─ 01a201df-6d        subag…nSome  shop',
    ]);
    expect(lines[2]).toContain(' lab/a-d…and-on ');
  });

  it('say of one copy where it is', () => {
    expect(printFamily(100).slice(-2)).toEqual([
      '   21 entries of 01a201df-65 (1 with spend) also appear in 01a201df-6c; ' +
        'counted once, in 01a201df-65',
      expect.stringMatching(/^ {3}\d+ columns hidden: --wide$/),
    ]);
  });

  it('say of many copies in one sentence how many they are', () => {
    const copies = [copy, { ...copy, session: subagentId, ownerAssumed: true }];
    const lines = printFamily(100, [
      session({ copies }),
      session({ id: forkId, parentSessionId: rootId, relation: 'fork', copies: [copy] }),
    ]);
    const from = lines.findIndex((line) => line.includes('63 entries'));
    const said = lines.slice(from, from + 2);
    expect([said.map((line) => line.trim()).join(' ')]).toEqual([
      '63 entries (3 with spend) also appear in 2 other sessions; each counts once, in the ' +
        'session that made it (the owner of 1 copy is assumed: the file of an ancestor is gone): ' +
        '--json',
    ]);
  });
});

it('has short ids in the plain list of a terminal as well', () => {
  const lines = printed(100, (terminal) =>
    printSessions(family, terminal, { notes: [], empty: '' }),
  );
  expect(lines.slice(1, 4).map((line) => line.split(' ')[0])).toEqual([
    '01a201df-65',
    '01a201df-6c',
    '01a201df-6d',
  ]);
});

it('cuts nothing if the output is not a terminal: ids, names, projects', () => {
  const text = printFamily(null).join('\n');
  for (const whole of [
    rootId,
    forkId,
    subagentId,
    'subagent ExploreTheWholeRepository.AndThenSome',
    `${family[0]?.project}`,
  ]) {
    expect(text).toContain(whole);
  }
});

it('says that nothing is recorded if there are no sessions', () => {
  expect(
    printed(null, (terminal) =>
      printSessions([], terminal, { notes: [], empty: 'Nothing is recorded.' }),
    ),
  ).toEqual([expect.stringContaining('Nothing is recorded')]);
});

it('has a child of which nobody knows whether it is a fork', () => {
  const next = [session({ id: rootId }), session({ id: forkId, parentSessionId: rootId })];
  const lines = printed(100, (terminal) => printSessions(next, terminal, { notes: [], empty: '' }));
  expect(lines[0]).toContain('relation');
  expect(lines[2]).toMatch(/^01a201df-6c +child /);
});
