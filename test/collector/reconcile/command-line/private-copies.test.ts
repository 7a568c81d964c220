/** Forks of private subagents, and other copies of their files. */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  answer,
  append,
  type FakeSession,
  fileOf,
  fork,
} from '../../../extension/support/fake-session.ts';
import { writeSession } from '../../importers/support/files.ts';
import {
  at,
  childAt,
  mark,
  of40and60,
  parentWith,
  placeBelow,
} from '../../importers/support/private-family.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import { commandLine } from '../support/command-line.ts';
import { outcome } from '../support/outcome.ts';

const directory = temporaryDirectory();
let home: string;
let ledger: ReturnType<typeof commandLine>;
beforeEach(() => {
  home = mkdtempSync(join(directory, 'copies-'));
  ledger = commandLine(directory);
});

const explained = { code: 0, explained: expect.arrayContaining(['private']), faults: [] };

async function imported(): Promise<void> {
  expect(await ledger.run('import', '--pi', home)).toMatchObject({ code: 0 });
}

/** Records by session. */
async function counted(): Promise<Record<string, number>> {
  const { printed } = await ledger.run('report', '--by', 'session', '--json');
  const { rows } = JSON.parse(printed) as { rows: { session: string; records: number }[] };
  return Object.fromEntries(rows.map(({ session, records }) => [session, records]));
}

/** What a user adds to a subagent's session. */
function forkOf(session: FakeSession, id = 'fork', minute = 60): FakeSession {
  const made = fork(session, id, at(minute));
  append(made, `${id}-own`, at(minute + 1), answer(`${id}-own`));
  return made;
}

type Way = readonly [string, FakeSession, FakeSession, string | undefined];
const ways: readonly Way[] = [
  ['by its place', parentWith({}), childAt(12), placeBelow(parentWith({}))],
  [
    'by its name',
    parentWith({ details: { results: [{ sessionId: 'child' }] } }),
    childAt(30),
    undefined,
  ],
  [
    'by what it used',
    parentWith({ usage: of40and60 }),
    childAt(12, 'child', fileOf(parentWith({}))),
    undefined,
  ],
];

describe('of a fork of a private subagent, what it adds counts, and nothing that it copied', () => {
  it.each(ways)('%s', async (_name, parent, child, place) => {
    writeSession(home, parent);
    const file = writeSession(home, child, place);
    const made = place === undefined ? child : { ...child, file: `/elsewhere/${place}` };
    writeSession(home, forkOf(made));
    writeSession(home, forkOf(forkOf(made), 'second', 70));
    await imported();
    expect(await counted()).toEqual({ parent: 2, fork: 1, second: 1 });
    expect(await outcome(ledger, '--pi', home)).toEqual(explained);
    rmSync(file);
    await imported();
    expect(await counted()).toEqual({ parent: 2, fork: 1, second: 1 });
  });

  it.each(ways)('%s, though its file was gone before anybody read it', async (...way) => {
    const [, parent, child, place] = way;
    writeSession(home, parent);
    const made = place === undefined ? child : { ...child, file: `/elsewhere/${place}` };
    const later = forkOf(made);
    append(later, 'p', at(62), mark('paused'));
    append(later, 'q', at(63), answer('q'));
    append(later, 'r', at(64), mark('resumed'));
    writeSession(home, later);
    writeSession(home, forkOf(later, 'second', 70));
    await imported();
    expect(await counted()).toEqual({ parent: 2, fork: 1, second: 1 });
    expect(await outcome(ledger, '--pi', home)).toEqual(explained);
  });

  it('nor if its clock was set back, so that nothing of it looks copied', async () => {
    const parent = parentWith({});
    writeSession(home, parent);
    writeSession(home, childAt(12), placeBelow(parent));
    writeSession(home, forkOf(childAt(12), 'fork', -60));
    await imported();
    expect(await counted()).toEqual({ parent: 2, fork: 1 });
    expect(await outcome(ledger, '--pi', home)).toEqual(explained);
  });

  it('but all of a fork counts whose original is public', async () => {
    const parent = parentWith({ usage: of40and60 });
    writeSession(home, parent);
    writeSession(home, childAt(12));
    writeSession(home, forkOf(childAt(12)));
    writeSession(home, forkOf(childAt(25, 'later'), 'of-later'));
    await imported();
    const counts = { parent: 2, child: 2, fork: 1, later: 2, 'of-later': 1 };
    expect(await counted()).toEqual(counts);
  });
});

it('is explained when the paused parent’s file is gone, and is no fault of the log', async () => {
  const parent = writeSession(home, parentWith({ details: { results: [{ sessionId: 'child' }] } }));
  await imported();
  rmSync(parent);
  writeSession(home, childAt(30));
  await imported();
  expect(await outcome(ledger, '--pi', home)).toEqual({
    code: 0,
    explained: expect.arrayContaining(['private_parent_gone']),
    faults: [],
  });
  const elsewhere = commandLine(directory);
  expect(await outcome(elsewhere, '--pi', home)).toMatchObject({ faults: ['not_imported'] });
});

describe('a private subagent’s session is private wherever else its file is', () => {
  it.each(['copy.jsonl', 'backup/session.jsonl', 'a/b/c/d/Kid (1).jsonl'])('%s', async (copy) => {
    const parent = parentWith({});
    writeSession(home, parent);
    writeSession(home, childAt(12), placeBelow(parent));
    writeSession(home, childAt(12), copy);
    await imported();
    expect(await counted()).toEqual({ parent: 2 });
    expect(await outcome(ledger, '--pi', home)).toEqual(explained);
  });

  it('also if the copy comes when the first file is gone', async () => {
    const parent = parentWith({});
    writeSession(home, parent);
    const file = writeSession(home, childAt(12), placeBelow(parent));
    await imported();
    rmSync(file);
    writeSession(home, childAt(12), 'copy.jsonl');
    await imported();
    expect(await counted()).toEqual({ parent: 2 });
  });
});
