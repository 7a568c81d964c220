/** Subagents of private stretches, whose own files say nothing of a pause. */
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, test } from 'vitest';
import {
  append,
  type FakeSession,
  fileOf,
  usage,
} from '../../../extension/support/fake-session.ts';
import { writeSession } from '../../importers/support/files.ts';
import {
  at,
  childAt,
  of40and60,
  parentWith,
  placeBelow,
  result,
} from '../../importers/support/private-family.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import { commandLine } from '../support/command-line.ts';
import { outcome } from '../support/outcome.ts';

const directory = temporaryDirectory();
/** pi 1.6.0 with pi-subagents 0.67.0: `/ledger pause`, then a prompt that delegates. */
const recorded = join(import.meta.dirname, 'data', 'paused-subagent');

test('a package’s subagent of a paused session is in no total, and explained', async () => {
  const ledger = commandLine(directory);
  expect(await ledger.run('import', '--pi', recorded)).toMatchObject({ code: 0 });
  const { printed } = await ledger.run('report', '--by', 'session', '--json');
  expect(printed).not.toContain('01a21f7d');
  expect(await outcome(ledger, '--pi', recorded)).toEqual({
    code: 0,
    explained: ['private'],
    faults: [],
  });
  const { answer } = await ledger.reconcile('--pi', recorded);
  const counts = answer.sessions.map(({ session, differences }) => [
    session.slice(0, 13),
    differences.map(({ count }) => count),
  ]);
  expect(counts.sort()).toEqual([
    ['01a21f7d-af1e', [3]],
    ['01a21f7d-b88f', [2]],
  ]);
});

test('one that was recorded before is a fault where no import remembers it', async () => {
  const home = mkdtempSync(join(directory, 'leaked-'));
  cpSync(recorded, home, { recursive: true });
  const [parent = ''] = readdirSync(home, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /_[0-9a-f-]+\.jsonl$/.test(name),
  );
  rmSync(join(home, parent));
  const ledger = commandLine(directory);
  await ledger.run('import', '--pi', home);
  rmSync(join(ledger.home, 'imports.db'));
  await ledger.run('import', '--pi', recorded);
  const { answer, code } = await ledger.reconcile('--pi', recorded);
  expect(code).toBe(1);
  const faults = answer.sessions.flatMap(({ session, differences }) =>
    differences
      .filter(({ explained }) => !explained)
      .map(({ reason }) => [session.slice(0, 13), reason]),
  );
  expect(faults).toEqual([
    ['01a21f7d-b88f', 'private_in_log'],
    ['01a21f7d-b88f', 'private_in_log'],
  ]);
});

describe('import and reconcile agree on a subagent of a private stretch', () => {
  let home: string;
  beforeEach(() => {
    home = mkdtempSync(join(directory, 'agree-'));
  });

  const named = (details: object) => parentWith({ details });
  const namesChild = { details: { results: [{ sessionId: 'child' }] } };
  /** Its tool returned in the stretch at once; another one waits for the subagent later. */
  const waiting = (more: Record<string, unknown>) => {
    const parent = parentWith({});
    append(parent, 't2', at(22), result(more));
    return parent;
  };
  const messagesOf = ({ entries }: FakeSession) =>
    entries.flatMap(({ message }) => (message ? [message] : []));
  const ways: readonly [string, () => readonly [FakeSession, FakeSession, string | undefined]][] = [
    ['by its place', () => [parentWith({}), childAt(12), placeBelow(parentWith({}))]],
    ['by its id', () => [named({ results: [{ sessionId: 'child' }] }), childAt(30), undefined]],
    [
      'by the id of its session',
      () => [named({ session: { id: 'child' } }), childAt(30), undefined],
    ],
    [
      'by its file',
      () => [named({ sessionFile: `/x/${fileOf(childAt(30))}` }), childAt(30), undefined],
    ],
    [
      'by the end of its path',
      () => [named({ sessionFile: '/a/b/c/d.jsonl' }), childAt(30), 'b/c/d.jsonl'],
    ],
    [
      'by the end of its path in another case and Unicode form',
      () => [named({ sessionFile: '/a/b/c/D\u00e9.jsonl' }), childAt(30), 'b/c/de\u0301.JSONL'],
    ],
    [
      'by its answers',
      () => [named({ results: [{ messages: messagesOf(childAt(12)) }] }), childAt(12), undefined],
    ],
    [
      'by what it used',
      () => [
        parentWith({ usage: of40and60 }),
        childAt(12, 'child', fileOf(parentWith({}))),
        undefined,
      ],
    ],
    [
      'by what it used, a compaction included',
      () => {
        const child = childAt(12, 'child', fileOf(parentWith({})));
        const compaction = { type: 'compaction', summary: 's', usage: usage(30) };
        child.entries.splice(2, 0, { ...child.entries[1], id: 'z', ...compaction });
        return [
          parentWith({ usage: { ...usage(130), output: 21, cacheRead: 9 } }),
          child,
          undefined,
        ];
      },
    ],
    [
      'by its id in a result after the stretch',
      () => [waiting(namesChild), childAt(12), undefined],
    ],
    [
      'by its file in a result after the stretch',
      () => [waiting({ details: { sessionFile: '/a/b/c/d.jsonl' } }), childAt(12), 'b/c/d.jsonl'],
    ],
    [
      'by what a result after the stretch says that it used',
      () => [
        waiting({ usage: of40and60 }),
        childAt(12, 'child', fileOf(parentWith({}))),
        undefined,
      ],
    ],
    [
      'by a sum in the details',
      () => [
        named({ results: [{ agent: 'scout', usage: of40and60 }] }),
        childAt(12, 'child', fileOf(parentWith({}))),
        undefined,
      ],
    ],
  ];

  it.each(ways)('%s', async (_name, make) => {
    const [parent, child, place] = make();
    writeSession(home, parent);
    const file = writeSession(home, child, place);
    const below =
      place === undefined ? undefined : place.replace(/\.jsonl$/i, '/q/run-0/session.jsonl');
    if (below !== undefined) writeSession(home, childAt(45, 'below'), below);
    const ledger = commandLine(directory);
    await ledger.run('import', '--pi', home);
    expect(await outcome(ledger, '--pi', home)).toEqual({
      code: 0,
      explained: ['private'],
      faults: [],
    });
    rmSync(file);
    const { answer } = await ledger.reconcile('--pi', home);
    expect(answer.sessions.find(({ session }) => session === 'child')).toBeUndefined();
  });

  it('and that a name in another case is another file’s, if there is one', async () => {
    writeSession(home, named({ sessionFile: '/a/b/c/d.jsonl' }));
    writeSession(home, childAt(30), 'b/c/d.jsonl');
    writeSession(home, childAt(30, 'other'), 'b/c/D.jsonl');
    const ledger = commandLine(directory);
    await ledger.run('import', '--pi', home);
    expect(await outcome(ledger, '--pi', home)).toMatchObject({ code: 0, faults: [] });
    const { printed } = await ledger.run('report', '--by', 'session', '--json');
    expect(printed).toContain('"other"');
    expect(printed).not.toContain('"child"');
  });

  it('and that others are none', async () => {
    const parent = parentWith({ usage: of40and60 });
    writeSession(home, parent);
    writeSession(home, childAt(5, 'before'), placeBelow(parent, 'before'));
    writeSession(home, childAt(25, 'after', fileOf(parent)));
    writeSession(home, childAt(12, 'stranger'));
    writeSession(home, childAt(12, 'next', '/elsewhere/2026-11-20T09-00-00-000Z_other.jsonl'));
    const ledger = commandLine(directory);
    await ledger.run('import', '--pi', home);
    const { answer, code } = await ledger.reconcile('--pi', home);
    expect(code).toBe(0);
    const hidden = answer.sessions.flatMap(({ session, differences }) =>
      differences.some(({ reason }) => reason === 'private') ? [session] : [],
    );
    expect(hidden).toEqual(['parent']);
  });
});
