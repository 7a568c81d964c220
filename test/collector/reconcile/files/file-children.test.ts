/** Whose children subagents are, by the path of their file, and by name and time. */
import { describe, expect, it } from 'vitest';
import {
  findChildren,
  type NamedClaim,
} from '../../../../collector/reconcile/files/file-children.ts';

const parent = { path: '/s/time_parent.jsonl', sessionId: 'parent', timeMs: 0 };
const child = { path: '/s/time_parent/A.jsonl', sessionId: 'child', timeMs: 100 };
const deep = { path: '/s/time_parent/A/A.B.jsonl', sessionId: 'deep', timeMs: 100 };

const claim = (more: Partial<NamedClaim> = {}): NamedClaim => ({
  claimKey: 'agent:A',
  sessionId: 'fork',
  turnAtMs: 90,
  timeMs: 110,
  ...more,
});

/** `child of parent as key`. */
function found(files: readonly (typeof parent)[], claims: readonly NamedClaim[] = []) {
  const read = files.map(({ path, sessionId, timeMs }) => ({
    path,
    bytes: 1,
    changedAtMs: 0,
    header: { sessionId, timeMs, cwd: null, parentSession: null, version: 3 },
  }));
  const sessions = new Map(read.map((file) => [file.header.sessionId, file]));
  return findChildren(read, sessions, claims).map(
    ({ sessionId, parentSessionId, claimKey }) =>
      `${sessionId} of ${parentSessionId} as ${claimKey}`,
  );
}

it('is the session whose directory the file is in, if that is known', () => {
  expect(found([parent, child])).toEqual(['child of parent as agent:A']);
  expect(found([child, deep])).toEqual(['deep of child as agent:A.B']);
  expect(found([child])).toEqual([]);
  const elsewhere = { ...parent, path: '/other/time_parent.jsonl' };
  expect(found([elsewhere, child])).toEqual(['child of parent as agent:A']);
  const chosen = { ...parent, path: '/other/time_my_run.jsonl', sessionId: 'my_run' };
  const its = { ...child, path: '/s/time_my_run/A.jsonl' };
  expect(found([chosen, its])).toEqual(['child of my_run as agent:A']);
  const odd = { ...child, path: '/time_x.jsonl/time_parent/A.jsonl' };
  expect(found([elsewhere, odd])).toEqual(['child of parent as agent:A']);
});

it('is also each session that claims one of its name while it began', () => {
  const claims = [claim(), claim(), claim({ sessionId: 'other', turnAtMs: 100, timeMs: 100 })];
  const others = ['child of fork as agent:A', 'child of other as agent:A'];
  expect(found([child], claims)).toEqual(others);
  expect(found([parent, child], claims)).toEqual(['child of parent as agent:A', ...others]);
  expect(found([child], [claim({ turnAtMs: null })])).toEqual(['child of fork as agent:A']);
});

it.each([
  ['before it began', { timeMs: 99 }],
  ['in a later turn', { turnAtMs: 101 }],
  ['one of another name', { claimKey: 'agent:B' }],
  ['itself', { sessionId: 'child' }],
])('is no session that claims %s', (_what, more) => {
  expect(found([child], [claim(more)])).toEqual([]);
});

describe('a session in a folder that is named like a session’s file', () => {
  const stem = '2026-03-01T09-00-00-000Z_parent';
  const parent = { path: `/s/${stem}.jsonl`, sessionId: 'parent', timeMs: 0 };
  const at = (path: string) => ({ path, sessionId: 'child', timeMs: 100 });
  const byFolder = ['child of parent as session:child'];
  const byName = (name: string) => [`child of parent as agent:${name}`];

  it.each<[where: string, path: string, children: readonly string[]]>([
    ['right below, named after its agent, as omp does', `/s/${stem}/A.jsonl`, byName('A')],
    ['right below, with a session’s name', `/s/${stem}/2026-03-01T09-01-00-000Z_c.jsonl`, byFolder],
    ['further below', `/s/${stem}/run/run-0/session.jsonl`, byFolder],
    ['below a copy of that folder', `/copied/${stem}/run/session.jsonl`, byFolder],
  ])('is a child of that session: %s', (_where, path, children) => {
    expect(found([parent, at(path)])).toEqual(children);
  });

  it('is a child by the folder’s name alone, whether or not that session has a file', () => {
    expect(found([at(`/s/${stem}/run/session.jsonl`)])).toEqual(byFolder);
    expect(found([at(`/s/${stem}/A.jsonl`)])).toEqual([]);
  });

  it.each<[what: string, nearest: string, children: readonly string[]]>([
    ['has a file', `/s/${stem}/run.jsonl`, ['child of near as session:child']],
    ['has a file further below', `/s/${stem}/x/run.jsonl`, byFolder],
  ])('is a child of the nearest session above that %s', (_what, nearest, children) => {
    const near = { path: nearest, sessionId: 'near', timeMs: 50 };
    const told = found([parent, near, at(`/s/${stem}/run/r/session.jsonl`)]);
    expect(told.filter((line) => line.startsWith('child'))).toEqual(children);
  });

  it('is a child of nobody further up than that', () => {
    const other = '2026-03-01T08-00-00-000Z_other';
    const own = '2026-03-01T09-02-00-000Z_child';
    expect(found([parent, at(`/s/${stem}/${other}/r/session.jsonl`)])).toEqual([
      'child of other as session:child',
    ]);
    expect(found([parent, at(`/s/${stem}/${own}/r/session.jsonl`)])).toEqual([]);
  });

  it('is no child of its own, in a folder of its own name', () => {
    const own = '2026-03-01T09-02-00-000Z_child';
    for (const place of ['session.jsonl', 'r/session.jsonl'])
      expect(found([at(`/s/${own}/${place}`)])).toEqual([]);
    const [copy, original] = [at('/s/talk.jsonl'), at('/s/talk/session.jsonl')];
    expect(found([copy, original])).toEqual([]);
  });

  it.each([
    ['an unknown time', '2026-03-01_parent'],
    ['something in front', `x${stem}`],
    ['no id', '2026-03-01T09-00-00-000Z_'],
  ])('is none where the folder’s name has %s', (_what, folder) => {
    expect(found([at(`/s/${folder}/run/session.jsonl`)])).toEqual([]);
  });
});

describe('a subagent that is claimed by a name in other letters', () => {
  const claims = (...keys: readonly string[]) =>
    keys.map((claimKey) => claim({ claimKey, sessionId: 'parent', turnAtMs: 500 }));
  const named = (name: string) => ({ ...child, path: `/s/time_parent/${name}.jsonl` });

  it.each([
    ['in another case', 'Scout', 'agent:scout'],
    ['in a case of more letters', 'Stra\u00dfe', 'agent:STRASSE'],
    ['in another Unicode form', 'Caf\u00e9', 'agent:Cafe\u0301'],
  ])('is meant: %s', (_how, name, claimKey) => {
    expect(found([parent, named(name)], claims(claimKey))).toEqual([
      `child of parent as agent:${name}`,
      `child of parent as ${claimKey}`,
    ]);
  });

  it('is meant by each of several such names', () => {
    expect(
      found([parent, named('Scout')], claims('agent:scout', 'agent:SCOUT', 'agent:scout')),
    ).toEqual(['Scout', 'scout', 'SCOUT'].map((name) => `child of parent as agent:${name}`));
  });

  it('is not meant where it is also claimed by its own name', () => {
    expect(found([parent, named('Scout')], claims('agent:scout', 'agent:Scout'))).toEqual([
      'child of parent as agent:Scout',
    ]);
  });

  it('is not meant by another session, or without a parent', () => {
    const others = [claim({ claimKey: 'agent:scout', sessionId: 'other' })];
    expect(found([parent, named('Scout')], others)).toEqual(['child of parent as agent:Scout']);
    expect(found([named('Scout')], claims('agent:scout'))).toEqual([]);
  });

  it('is not meant by another name', () => {
    expect(found([parent, named('Scout')], claims('agent:Scouts'))).toEqual([
      'child of parent as agent:Scout',
    ]);
  });
});
