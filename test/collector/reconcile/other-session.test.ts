import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../support/directory.ts';
import { explained, fault, told } from './support/compared.ts';
import { aLedger, event, header, line, live, writeFile } from './support/two-sides.ts';

const directory = temporaryDirectory();

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(directory, 'sides-'));
});

const one = { id: 'a1', second: 1 };

const two = { id: 'a2', second: 2, input: 20 };

describe('a record that the log counts under another session', () => {
  const fork = (parent: string) =>
    writeFile(root, 'c.jsonl', [
      header('c', 10, parent),
      line(one),
      line({ id: 'own', second: 11 }),
    ]);
  const logged = (owner: string) =>
    aLedger({ events: [event(owner, one), event('c', { id: 'own', second: 11 })] });

  it.each([
    ['the one that the header names', 'owner'],
    ['... by its file', '/somewhere/2026-03-01T09-00-00-000Z_owner.jsonl'],
    ['... which stands on a Windows machine', 'C:\\sessions\\2026_owner.jsonl'],
  ])('is explained where it is copied from %s, which is gone', async (_what, parent) => {
    fork(parent);
    expect(await told(root, logged('owner'))).toEqual(explained('c owner_assumed x1'));
  });

  it.each([
    ['a file whose name tells no session', '/s/mine/talk.jsonl', explained('c owner_assumed x1')],
    ['... on a Windows machine', 'C:\\mine\\talk.JSONL', explained('c owner_assumed x1')],
    [
      '... whose user named it with an underscore',
      '/s/my_talk.jsonl',
      explained('c owner_assumed x1'),
    ],
    [
      'a file of another session',
      '/s/2026-03-01T09-00-00-000Z_x.jsonl',
      fault('c session_differs x1'),
    ],
    ['what is no session’s file', '/s/talk.jsonl.txt', fault('c session_differs x1')],
  ])('is explained or not where it is copied from %s, which is gone', async (...given) => {
    const [, parent, expected] = given;
    fork(parent);
    expect(await told(root, logged('owner'))).toEqual(expected);
  });

  it('is a fault where its session or the named file is here', async () => {
    const gone = fault('c session_differs x1');
    fork('/s/mine/talk.jsonl');
    writeFile(root, 'owner.jsonl', [header('owner', 0)]);
    expect((await told(root, logged('owner'))).told).toContain('c session_differs x1');
    expect(await told(root, logged('x'))).toEqual(explained('c owner_assumed x1'));
    fork(writeFile(root, 'talk.jsonl', [header('b', 0)]));
    writeFile(root, 'backup/copy.jsonl', [header('b', 0)]);
    expect(await told(root, logged('x'))).toEqual(gone);
  });

  it('is its own where a fork was made under a set-back clock of a file of any name', async () => {
    const talk = writeFile(root, 'talk.jsonl', [header('s', 0), line(one)]);
    const own = { id: 'own', second: 11 };
    writeFile(root, 'fork.jsonl', [header('fork', -60, talk), line(one), line(own)]);
    const ledger = aLedger({ events: [event('s', one), event('fork', own)] });
    expect(await told(root, ledger)).toEqual(explained('fork copied x1'));
  });

  it('is explained where one copy of the file still names it', async () => {
    writeFile(root, 'c-again.jsonl', [header('c', 9), line(one)]);
    fork('owner');
    expect(await told(root, logged('owner'))).toMatchObject({ isExplained: true });
  });

  it.each([
    ['the older', 'owner', undefined],
    ['the younger', undefined, 'owner'],
  ])('is explained where %s of two copies names it', async (_which, older, younger) => {
    writeFile(root, 'b.jsonl', [header('b', 9, older), line(one)]);
    writeFile(root, 'c.jsonl', [header('c', 10, younger), line(one)]);
    expect(await told(root, aLedger({ events: [event('owner', one)] }))).toEqual(
      explained('b owner_assumed x1', 'c copied x1'),
    );
  });

  it('is explained where the header of a header names it', async () => {
    writeFile(root, 'b.jsonl', [header('b', 9, '2026_a.jsonl')]);
    fork('2026_b.jsonl');
    expect(await told(root, logged('a'))).toEqual(explained('c owner_assumed x1'));
  });

  it.each([
    ['nobody names', 'x'],
    ['no header leads to', 'b'],
  ])('is a fault where %s it', async (_what, parent) => {
    writeFile(root, 'b.jsonl', [header('b', 9)]);
    fork(parent);
    expect(await told(root, logged('a'))).toEqual(fault('c session_differs x1'));
  });

  it('is a fault where headers lead round in a circle', async () => {
    writeFile(root, 'b.jsonl', [header('b', 9, 'c')]);
    fork('b');
    expect(await told(root, logged('a'))).toEqual(fault('c session_differs x1'));
  });

  it('is a fault where it is no copy', async () => {
    writeFile(root, 'c.jsonl', [header('c', 1, 'a'), line(one)]);
    expect(await told(root, aLedger({ events: [event('a', one)] }))).toEqual(
      fault('c session_differs x1'),
    );
  });

  it('is a fault once for each, where two sessions have each other’s', async () => {
    writeFile(root, 'a.jsonl', [header('a', 0), line(one)]);
    writeFile(root, 'b.jsonl', [header('b', 0), line(two)]);
    expect(await told(root, aLedger({ events: [event('b', one), event('a', two)] }))).toEqual(
      fault('a session_differs x1', 'b session_differs x1'),
    );
  });

  it('leaves the others of that session to be told of: live, or gone', async () => {
    writeFile(root, 'a.jsonl', [header('a', 0), line(one)]);
    expect(await told(root, aLedger({ events: [live('x', one), live('x', two)] }))).toEqual(
      fault('a session_differs x1', 'x live_only_session x1'),
    );
    expect(await told(root, aLedger({ events: [event('x', one), event('x', two)] }))).toEqual(
      fault('a session_differs x1', 'x file_gone x1'),
    );
  });
});
