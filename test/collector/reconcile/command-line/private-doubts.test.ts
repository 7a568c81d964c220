/** What a private stretch seems to be about, and is not: nothing of it is taken back. */
import { mkdtempSync } from 'node:fs';
import { basename, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  answer,
  append,
  type FakeSession,
  fileOf,
  fork,
  newSession,
  toolCall,
  usage,
  userSays,
} from '../../../extension/support/fake-session.ts';
import { writeSession } from '../../importers/support/files.ts';
import {
  at,
  childAt,
  mark,
  of40and60,
  parentWith,
  placeBelow,
  result,
  stemOf,
} from '../../importers/support/private-family.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import { type CommandLine, commandLine } from '../support/command-line.ts';
import { outcome } from '../support/outcome.ts';

const directory = temporaryDirectory();
let sessions: string;
let ledger: CommandLine;
beforeEach(() => {
  sessions = mkdtempSync(join(directory, 'sessions-'));
  ledger = commandLine(directory);
});

type Written = readonly [session: FakeSession, place?: string];
const write = (files: readonly Written[]) => {
  for (const [session, place] of files) writeSession(sessions, session, place);
};
const importAll = async () => (await ledger.run('import', '--pi', sessions)).complained;
const takenBack = async () => (await ledger.run('withdraw', 'list')).printed;

/** Sessions that reports count, and what each spent. */
async function counted(): Promise<Readonly<Record<string, number>>> {
  const { printed } = await ledger.run('report', '--by', 'session', '--json');
  const { rows } = JSON.parse(printed) as {
    readonly rows: readonly { readonly session: string; readonly records: number }[];
  };
  return Object.fromEntries(rows.map(({ session, records }) => [session, records]));
}

/** The parent's results in the stretch name the session and say what it spent. */
const names = (sessionId: string) =>
  parentWith({ details: { results: [{ sessionId }] }, usage: of40and60 });
const cutIn = (parent: FakeSession) => ({ ...parent, entries: parent.entries.slice(0, 4) });
const flat = { ...usage(1_000), output: 0, cacheRead: 0, cacheWrite: 0 };

/** A session whose tool spends the same each time. */
function searching(parentSession: string): FakeSession {
  const session = newSession('next', at(12), { parentSession });
  append(session, 'next-u', at(12), userSays());
  append(session, 'next-1', at(12), answer('next-1', { content: [toolCall('s', 'search')] }));
  append(session, 'next-s', at(13), result({ toolCallId: 's', toolName: 'search', usage: flat }));
  append(session, 'next-2', at(13), answer('next-2'));
  return session;
}

/** A private subagent that began with a copy of its parent, which had delegated in public. */
function forked(): { readonly parent: FakeSession; readonly forked: FakeSession } {
  const parent = newSession('parent', at(0));
  append(parent, 'a', at(2), answer('a', { content: [toolCall('c', 'subagent')] }));
  append(parent, 'p', at(8), result({ details: { results: [{ sessionId: 'child' }] } }));
  const child = fork(parent, 'forked', at(12));
  append(child, 'f', at(13), answer('f'));
  append(parent, 'm1', at(10), mark('paused'));
  append(parent, 'b', at(11), answer('b', { content: [toolCall('d', 'subagent')] }));
  append(parent, 't', at(18), result({ toolCallId: 'd' }));
  append(parent, 'm2', at(20), mark('resumed'));
  append(parent, 'c', at(21), answer('c'));
  return { parent, forked: child };
}

/** From an entry of the stretch, after it had ended: the fork was resumed later. */
function forkedInStretch(): FakeSession {
  const parent = parentWith({});
  const made = fork({ ...parent, leafId: 'b' }, 'made', at(60));
  append(made, 'm2', at(62), mark('resumed'));
  append(made, 'own', at(63), answer('own'));
  return made;
}

const plain = parentWith({});
const gone = { ...plain, entries: plain.entries.slice(0, 3) };
const cases: readonly [string, Written[], Written[], Readonly<Record<string, number>>][] = [
  [
    'the session itself, which a result names',
    [[cutIn(parentWith({ details: { sessionId: 'parent' } }))]],
    [[parentWith({ details: { sessionId: 'parent' } })]],
    { parent: 2 },
  ],
  [
    'an older session that a result found',
    [[childAt(-60, 'old')]],
    [[parentWith({ details: { results: [{ sessionId: 'old' }] } })]],
    { old: 2, parent: 2 },
  ],
  [
    'a subagent of before, which a private subagent has copied a result of',
    [[childAt(5)]],
    [[forked().parent], [forked().forked, join(stemOf(plain), 'forks', 'forked.jsonl')]],
    { child: 2, parent: 2 },
  ],
  [
    'another session of an id that a user chose',
    [[childAt(-60, 'nightly')]],
    [[plain], [childAt(12, 'nightly'), placeBelow(plain)]],
    { nightly: 2, parent: 2 },
  ],
  [
    'a next session whose tool spent the same as one of the stretch',
    [[searching(fileOf(plain))]],
    [[parentWith({ usage: flat })]],
    { next: 3, parent: 2 },
  ],
  [
    'a subagent of before, copied into the folder of a private one',
    [[childAt(5), placeBelow(plain)]],
    [
      [plain],
      [childAt(12, 'p'), placeBelow(plain, 'p')],
      [childAt(5), placeBelow(plain, 'p').replace('.jsonl', '/copy.jsonl')],
    ],
    { child: 2, parent: 2 },
  ],
  [
    'a subagent of later, in a backup with the session as it was in the stretch',
    [[plain], [childAt(25), placeBelow(plain)]],
    [
      [gone, join('backup', basename(fileOf(plain)))],
      [childAt(25), join('backup', placeBelow(plain))],
    ],
    { child: 2, parent: 2 },
  ],
];

describe('nothing is taken back, and it counts in any order', () => {
  it.each(cases)('although it seems private: %s', async (_what, first, then, expected) => {
    write(first);
    await importAll();
    write(then);
    await importAll();
    expect(await takenBack()).not.toContain('session ');
    expect(await counted()).toEqual(expected);
    expect(await outcome(ledger, '--pi', sessions)).toMatchObject({ code: 0, faults: [] });
    ledger = commandLine(directory);
    await importAll();
    expect(await counted()).toEqual(expected);
    expect(await outcome(ledger, '--pi', sessions)).toMatchObject({ code: 0, faults: [] });
  });
});

describe('what may be private in part counts until it is taken back, and is said once', () => {
  const doubtful: readonly [string, Written[], Written[]][] = [
    [
      'two sessions of one id, one of them private',
      [[childAt(-60)], [childAt(12), placeBelow(plain)]],
      [[plain]],
    ],
    [
      'another file with such an end of its path',
      [[childAt(12), 'b/c/d.jsonl']],
      [[parentWith({ details: { sessionFile: '/a/b/c/d.jsonl' } })]],
    ],
    [
      'one that began after what a fork has copied of its session, which is gone',
      [[childAt(25), placeBelow(plain)]],
      [[forkedInStretch()]],
    ],
    [
      'one of a time to which the clock was set back',
      [[childAt(15), placeBelow(plain)]],
      [[{ ...plain, entries: [...plain.entries, { ...plain.entries[1], id: 'z' }] }]],
    ],
  ];

  it.each(doubtful)('for nothing is certain: %s', async (_what, first, then) => {
    write(first);
    await importAll();
    const before = (await counted()).child;
    write(then);
    expect(await importAll()).toContain('still in the totals: that is not certain');
    expect((await counted()).child).toBe(before);
    expect(await importAll()).toBe('');
    const { answer: compared } = await ledger.reconcile('--pi', sessions);
    expect(compared.reasons).toHaveProperty('private_in_log');
  });

  it('a private subagent that copied what its session did before', async () => {
    const { parent, forked: child } = forked();
    const lone = { ...child, header: { ...child.header, parentSession: undefined } };
    const place = join(stemOf(parent), 'forks', 'forked.jsonl');
    write([[lone, place]]);
    await importAll();
    expect(await counted()).toEqual({ forked: 2 });
    write([[parent]]);
    expect(await importAll()).toContain('the ledger has more of that id');
    expect(await counted()).toEqual({ parent: 2, forked: 1 });
  });
});

describe('while a session is paused, and its file is all that is known', () => {
  const open = { ...plain, entries: plain.entries.slice(0, 4) };
  const later: Written = [childAt(25), placeBelow(plain)];

  it('a subagent that was recorded counts on, and one that was not comes later', async () => {
    write([later]);
    await importAll();
    write([[open], [childAt(26, 'new'), placeBelow(plain, 'new')]]);
    expect(await importAll()).toContain('that is not certain');
    expect(await counted()).toEqual({ child: 2, parent: 1 });
    write([[plain]]);
    await importAll();
    expect(await counted()).toEqual({ child: 2, new: 2, parent: 2 });
    expect(await outcome(ledger, '--pi', sessions)).toMatchObject({ code: 0, faults: [] });
  });

  it('one that began in it is private ever after, however often it is looked at', async () => {
    const running = [childAt(12), placeBelow(plain)] as const;
    write([[{ ...open, entries: open.entries.slice(0, 3) }], running]);
    await importAll();
    write([[open]]);
    await importAll();
    write([[plain]]);
    await importAll();
    expect(await counted()).toEqual({ parent: 2 });
    expect(await outcome(ledger, '--pi', sessions)).toMatchObject({ code: 0, faults: [] });
  });
});

describe('a session that is older than the stretch, and was asked in it', () => {
  const asked = childAt(5);
  append(asked, 'in', at(15), answer('in'));
  append(asked, 'after', at(30), answer('after'));

  it('is private in that time alone', async () => {
    write([[asked], [names('child')]]);
    await importAll();
    expect(await counted()).toEqual({ child: 3, parent: 2 });
    expect(await outcome(ledger, '--pi', sessions)).toMatchObject({ code: 0, faults: [] });
  });

  it('... also if it was recorded before, and goes on', async () => {
    write([[childAt(5)]]);
    await importAll();
    write([[asked], [names('child')]]);
    await importAll();
    expect(await counted()).toEqual({ child: 3, parent: 2 });
    expect(await takenBack()).not.toContain('session ');
  });

  it('counts if it was recorded before the session was known, and that is said once', async () => {
    write([[asked]]);
    await importAll();
    write([[names('child')]]);
    expect(await importAll()).toContain('asked while another session was paused');
    expect(await counted()).toEqual({ child: 4, parent: 2 });
    expect(await importAll()).toBe('');
    expect(await outcome(ledger, '--pi', sessions)).toMatchObject({ faults: ['private_in_log'] });
  });
});

it('a session of the same id on another machine is not taken back with a private one', async () => {
  const elsewhere = mkdtempSync(join(directory, 'elsewhere-'));
  writeSession(elsewhere, childAt(-60));
  await ledger.run('import', '--pi', elsewhere);
  write([[childAt(12), placeBelow(plain)]]);
  await importAll();
  write([[plain]]);
  expect(await importAll()).toContain('still in the totals');
  expect((await counted()).child).toBe(4);
});

describe('a session that is in the log alone, and that a stretch names', () => {
  const exported = async (session: FakeSession) => {
    const elsewhere = mkdtempSync(join(directory, 'elsewhere-'));
    writeSession(elsewhere, session);
    const other = commandLine(directory);
    await other.run('import', '--pi', elsewhere);
    await other.run('export', join(elsewhere, 'events'));
    await ledger.run('import-events', join(elsewhere, 'events'));
  };

  it.each([
    ['may be private, says reconcile', 12, ['may_be_private']],
    ['is not if it is older', 5, []],
  ])('%s', async (_what, minute, faults) => {
    await exported(childAt(minute));
    write([[names('child')]]);
    await importAll();
    expect(await counted()).toEqual({ child: 2, parent: 2 });
    expect(await outcome(ledger, '--pi', sessions)).toMatchObject({ faults });
  });
});
