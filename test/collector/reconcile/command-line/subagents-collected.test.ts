/** Runs of subagents that tool results tell of more than once. */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type FakeSession, fileOf } from '../../../extension/support/fake-session.ts';
import { writeSession } from '../../importers/support/files.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import { commandLine, faultsIn } from '../support/command-line.ts';
import { eventsWhere } from '../support/damage.ts';
import {
  type Call,
  delegating,
  explained,
  ledgersOf,
  placeBelow,
  spent,
  type Written,
  working,
} from '../support/subagent-family.ts';

const directory = temporaryDirectory();

const turns = [
  ['a', 2, 1],
  ['b', 60, 2],
] as const;

const file = placeBelow(delegating([], []), 'run');
/** pi-subagents names the run and the session's file. */
const ofRun = (runId: string) => ({ runId, results: [{ agent: 'scout', sessionFile: file }] });

const collect = (first: Partial<Call>, second: Partial<Call>) =>
  delegating(turns, [
    { id: 'c1', turn: 'a', second: 30, details: ofRun('one'), ...first },
    { id: 'c2', turn: 'a', second: 31, details: ofRun('one'), ...second },
  ]);

const all = { usage: spent(40, 60) };
const part = { usage: spent(40) };
const later = { turn: 'b', second: 70 };
const child = working('kid', 5, [
  [10, 40],
  [20, 60],
]);
const kept: Written = [child, file];

/** As tintinweb's package asks: by the agent's id, and the result names nobody. */
const asked = { agentId: '8c7acd05', details: {} };
const heir = working(
  'heir',
  5,
  [
    [10, 40],
    [20, 60],
  ],
  fileOf(delegating([], [])),
);

describe('a run of a subagent', () => {
  it.each<[how: string, input: number, written: readonly Written[]]>([
    ['in one turn', 103, [[collect(all, all)], kept]],
    ['in one turn, its session gone', 103, [[collect(all, all)]]],
    ['in two turns', 103, [[collect(all, { ...all, ...later })], kept]],
    ['in two turns, its session gone', 103, [[collect(all, { ...all, ...later })]]],
    ['first in part', 103, [[collect(part, all)], kept]],
    ['first in part, its session gone', 103, [[collect(part, all)]]],
    ['first in part, then in another turn', 103, [[collect(part, { ...all, ...later })]]],
    ['by its agent', 103, [[collect({ ...all, ...asked }, { ...all, ...asked })], [heir]]],
    [
      'by its agent, its session gone',
      103,
      [[collect({ ...all, ...asked }, { ...all, ...asked, ...later })]],
    ],
    [
      'by its file, where no run is told',
      103,
      [
        [
          collect(
            { ...all, details: { sessionFile: file } },
            { ...all, details: { sessionFile: file } },
          ),
        ],
      ],
    ],
  ])('counts once where it is collected twice: %s', async (_how, input, written) => {
    expect(await ledgersOf(directory, written)).toEqual(explained(input));
  });

  it('counts once where a result tells of a part and it goes on', async () => {
    const parent = collect({ ...part, details: {}, second: 12 }, { ...all, details: {}, ...later });
    expect(await ledgersOf(directory, [[parent], [heir]])).toEqual(explained(103));
    const alone = delegating(turns, [{ id: 'c1', turn: 'a', second: 12, ...part }]);
    expect(await ledgersOf(directory, [[alone], [heir]])).toEqual(explained(103));
  });

  it.each<[how: string, details: Record<string, unknown>]>([
    ['an id', { sessionId: 'browser' }],
    ['the id of a session', { session: { id: 'browser' } }],
    ['an id of each of its results', { results: [{ sessionId: 'page' }] }],
    ['its own session', { sessionFile: fileOf(delegating([], [])) }],
    ['an id, and a run', { runId: 'one', sessionId: 'browser' }],
  ])('is none where a tool that spends the same each time names %s', async (_how, details) => {
    const parent = collect({ ...all, details }, { ...all, ...later, details });
    expect(await ledgersOf(directory, [[parent]])).toEqual(explained(203));
  });

  it('counts twice where it was run twice', async () => {
    const parent = collect(all, { ...all, details: ofRun('two') });
    expect(await ledgersOf(directory, [[parent]])).toEqual(explained(203));
  });
});

it.each<[what: string, written: readonly Written[]]>([
  ['its session is there', [[collect(all, all)], kept]],
  ['its session is gone', [[collect(all, { ...all, ...later })]]],
])(
  'reconcile notices a run that counts twice, although no rule says so: %s',
  async (_, written) => {
    const sessions = mkdtempSync(join(directory, 'sessions-'));
    for (const [session, name] of written) writeSession(sessions, session, name);
    const ledger = commandLine(directory);
    expect(await ledger.run('import', '--pi', sessions)).toMatchObject({ code: 0 });
    const blind = ledger.copy();
    blind.change((database) => {
      const told = eventsWhere(database, ({ data }) => /^(run|same):/.test(String(data.ref)));
      expect(told.length).toBeGreaterThan(0);
      for (const { position } of told)
        database.prepare('DELETE FROM events WHERE position = ?').run(position);
    });
    expect(await blind.run('rebuild', 'sessions')).toMatchObject({ code: 0 });
    const { code, answer } = await blind.reconcile('--pi', sessions);
    expect(code).toBe(1);
    expect(faultsIn(answer)).toContain('counted_twice');
  },
);

describe('what nobody can tell from a run that is collected twice counts, and is a fault', () => {
  const none = { ...all, details: {} };
  const renamed = (parent: FakeSession) => {
    const last = parent.entries.at(-1) as { message: Record<string, unknown> };
    return {
      ...parent,
      entries: [
        ...parent.entries.slice(0, -1),
        { ...last, message: { ...last.message, toolName: 'wait' } },
      ],
    };
  };

  it.each<[how: string, written: readonly Written[]]>([
    [
      'two results of a turn, and one session that began before it',
      [[collect({ ...none, ...later }, { ...none, turn: 'b', second: 71 })], [heir]],
    ],
    [
      'one that names its agent, and one that does not',
      [[collect(none, { ...all, ...asked, ...later })]],
    ],
    ['results of two tools', [[renamed(collect(none, { ...none, ...later }))]]],
  ])('%s', async (_how, written) => {
    const sessions = mkdtempSync(join(directory, 'sessions-'));
    for (const [session, name] of written) writeSession(sessions, session, name);
    const ledger = commandLine(directory);
    await ledger.run('import', '--pi', sessions);
    const { code, answer } = await ledger.reconcile('--pi', sessions);
    expect([code, faultsIn(answer)]).toEqual([1, ['counted_twice']]);
  });

  it('but a tool may spend the same each time', async () => {
    expect(await ledgersOf(directory, [[collect(none, { ...none, ...later })]])).toEqual(
      explained(203),
    );
  });

  it('and so may a subagent of another name', async () => {
    const other = { ...all, agentId: 'other', details: {} };
    const parent = collect({ ...all, ...asked }, { ...other, ...later });
    expect(await ledgersOf(directory, [[parent]])).toEqual(explained(203));
  });
});

describe('reconcile says where a session tells that results of it count wrong', () => {
  const unnamed = { details: { sessionFile: file } };
  const half: Written = [working('kid', 5, [[10, 40]]), file];
  const second = { usage: spent(60), details: ofRun('two'), ...later };

  it.each<[how: string, written: readonly Written[], faults: readonly string[]]>([
    [
      'a part of all that it recorded',
      [[collect({ ...part, ...unnamed, second: 12 }, { ...all, ...unnamed })], kept],
      ['counted_twice'],
    ],
    ['it lacks what two runs of it spent', [[collect(part, second)], half], ['claim_differs']],
    ['... and not where it has both', [[collect(part, second)], kept], []],
    ['... or where one run is told twice', [[collect(part, { ...part, ...later })], half], []],
  ])('%s', async (_how, written, faults) => {
    const sessions = mkdtempSync(join(directory, 'sessions-'));
    for (const [session, name] of written) writeSession(sessions, session, name);
    const ledger = commandLine(directory);
    await ledger.run('import', '--pi', sessions);
    const { answer } = await ledger.reconcile('--pi', sessions);
    expect(faultsIn(answer)).toEqual(faults);
  });
});
