/**
 * What counts, and where, depends only on which session files there were: not on their order, the
 * number of imports, or deletions.
 */

import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import type { LedgerEvent } from '@pi-ledger/contract';
import { describe, expect, it } from 'vitest';
import { omp } from '../../../collector/importers/omp/importer.ts';
import { pi } from '../../../collector/importers/pi/importer.ts';
import { type FakeSession, fork, newSession } from '../../extension/support/fake-session.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { openBooks } from './support/books.ts';
import { writeSession } from './support/files.ts';
import { at, books, inFolder, moved, reported, talk, waysOf } from './support/ways.ts';

const root = temporaryDirectory();

/**
 * A, its fork B and B's fork C, each with its own folder and project. C's folder sorts before A's.
 */
function chain() {
  const a = moved(newSession('a', at(0)), '/srv/a');
  talk(a, 'a', 1);
  const b = moved(fork(a, 'b', at(10)), '/srv/b');
  talk(b, 'b', 11);
  const c = moved(fork(b, 'c', at(20)), '/srv/c');
  talk(c, 'c', 21);
  return { a: inFolder('m', a), b: inFolder('n', b), c: inFolder('c', c) };
}

const two = '2 records, 220 tokens, 200000 nano-dollars';

describe('a chain of forks', () => {
  it('counts under the owners however its files come', async () => {
    const { a, b, c } = chain();
    for (const steps of waysOf([a, b, c])) {
      expect(await reported(root, pi, steps, 'session', 'project')).toEqual({
        'a,/srv/a': two,
        'b,/srv/b': two,
        'c,/srv/c': two,
      });
    }
  });

  it('counts under the owner that has a file, though the fork between is gone', async () => {
    const { a, c } = chain();
    for (const steps of waysOf([a, c])) {
      expect(await reported(root, pi, steps, 'session', 'project')).toEqual({
        'a,/srv/a': two,
        'b,/srv/c': two,
        'c,/srv/c': two,
      });
    }
  });

  it('takes the project of its copy for an owner that is gone, and says so', async () => {
    const { c } = chain();
    const opened = await books(root, pi, [[c]]);
    const isAttribution = ({ type }: LedgerEvent) => type === 'pi.session.attributed.v1';
    const user = (await opened.events()).find(isAttribution)?.data['user' as never];
    expect(await opened.report(undefined, 'project', 'user')).toEqual({
      [`/srv/c,${user}`]: '6 records, 660 tokens, 600000 nano-dollars',
    });
    const inferred = (await opened.events()).filter(
      ({ data }) => 'basis' in data && data.basis === 'inferred',
    );
    expect(inferred.map(({ subject }) => subject)).toEqual(['b']);
    await opened.close();
  });

  it('counts nothing of a project that is ignored, whoever owned it', async () => {
    const { c } = chain();
    const opened = await books(root, pi, [[c]]);
    expect(
      await opened.total({
        projects: [{ match: '/srv/c', ignore: true }],
        billing: {},
        labels: [],
      }),
    ).toBe('nothing');
    await opened.close();
  });

  it('is the same when the importer has forgotten what it read', async () => {
    const { a, b, c } = chain();
    const opened = await openBooks(root, pi);
    const directory = mkdtempSync(join(root, 'sessions-'));
    for (const file of [c, b, a]) {
      writeSession(directory, file.session, file.name);
      await opened.import(directory, true);
    }
    expect(await opened.report(undefined, 'session')).toEqual({ a: two, b: two, c: two });
    await opened.close();
  });
});

describe('an entry that a fork may have made itself', () => {
  const shapes: Record<string, (a: FakeSession) => FakeSession> = {
    'forked in the same millisecond': (a) => fork(a, 'B', at(3)),
    'forked when the clock had been set back': (a) => fork(a, 'B', at(2)),
    'forked when the clock had been set back behind the start': (a) => fork(a, 'B', at(-60)),
    'without a parent in the header': (a) => {
      const clone = fork(a, 'z', at(10));
      const { parentSession: _, ...header } = clone.header;
      return { ...clone, header };
    },
  };

  it.each(Object.entries(shapes))(
    'counts under the owner in any order: %s',
    async (_what, shape) => {
      const a = newSession('b', at(0));
      talk(a, 'a', 1);
      const other = shape(a);
      talk(other, 'o', 30);
      const id = String(other.header.id);
      for (const steps of waysOf([inFolder('m', a), inFolder('c', other)])) {
        expect(await reported(root, pi, steps, 'session')).toEqual({ b: two, [id]: two });
      }
    },
  );
});

/** An omp session, a `/tan` copy of it, and a clone whose header names no parent. */
function tangled() {
  const owner = newSession('a', at(0));
  talk(owner, 'a', 1);
  const forked = fork(owner, 'tan', at(10));
  const free = forked.entries.map((entry) =>
    JSON.parse(JSON.stringify(entry).replaceAll(/"cost":\{[^}]*\}/g, '"cost":{"total":0}')),
  );
  const tan = { ...forked, entries: free };
  talk(tan, 't', 11);
  const cloned = fork(owner, 'clone', at(20));
  const { parentSession: _, ...header } = cloned.header;
  const clone = { ...cloned, header };
  talk(clone, 'c', 21);
  return { owner: inFolder('', owner), tan: inFolder('', tan), clone: inFolder('', clone) };
}

describe('a copy that lost its price', () => {
  it('counts only what its owner does not, however they come', async () => {
    const { owner, tan } = tangled();
    for (const steps of waysOf([owner, tan]))
      expect(await reported(root, omp, steps, 'session')).toEqual({ a: two, tan: two });
    expect(await reported(root, omp, [[tan]], 'session')).toEqual({
      a: '2 records, 220 tokens, 0 nano-dollars',
      tan: two,
    });
  });

  it('counts nothing beside a clone with prices, though their owner is gone', async () => {
    const { owner, tan, clone } = tangled();
    const expected = { a: two, tan: two, clone: two };
    for (const steps of waysOf([tan, clone]))
      expect(await reported(root, omp, steps, 'session')).toEqual(expected);
    for (const steps of waysOf([owner, tan, clone]))
      expect(await reported(root, omp, steps, 'session')).toEqual(expected);
  });

  it('follows its twin to a better owner', async () => {
    const { tan, clone } = tangled();
    const older = structuredClone({ ...clone.session, id: 'older' });
    // Its clock was set back, so its copies look like its own entries.
    Object.assign(older.header, { id: 'older', timestamp: new Date(at(-1)).toISOString() });
    const other = { name: '2026-11-20T08-59-00-000Z_older.jsonl', session: older };
    const expected = { older: two, clone: two, tan: two };
    for (const files of [
      [clone, tan, other],
      [other, clone, tan],
      [other, tan, clone],
    ])
      expect(
        await reported(
          root,
          omp,
          files.map((file) => [file]),
          'session',
        ),
      ).toEqual(expected);
  });
});
