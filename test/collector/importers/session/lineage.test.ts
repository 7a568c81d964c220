/** The owners of copied entries, according to headers and file names. */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createFileHeaders } from '../../../../collector/importers/session/file-header.ts';
import { createLineage, type EntryOwner } from '../../../../collector/importers/session/lineage.ts';
import { type Header, readHeader } from '../../../../core/record/entry.ts';
import { newSession } from '../../../extension/support/fake-session.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import { writeLines } from '../support/files.ts';

const root = temporaryDirectory();
const startMs = Date.parse('2026-11-20T09:00:00.000Z');
const at = (minute: number) => startMs + minute * 60_000;
const fileName = (id: string, minute: number) =>
  `${new Date(at(minute)).toISOString().replace(/[:.]/g, '-')}_${id}.jsonl`;
const fresh = () => mkdtempSync(join(root, 'sessions-'));

function headerOf(id: string, minute: number, parentSession?: string, cwd = `/srv/${id}`): Header {
  return readHeader({ ...newSession(id, at(minute), { parentSession }).header, cwd }) as Header;
}

/** A session's file; only its header matters. */
function write(
  directory: string,
  name: string,
  { id, timestamp, cwd, parentSession }: Header,
): string {
  return writeLines(join(directory, name), [
    JSON.stringify({
      type: 'session',
      version: 3,
      id,
      timestamp,
      cwd,
      ...(parentSession && { parentSession }),
    }),
  ]);
}

interface Question {
  /** The parent that the copy of minute 20 names. */
  readonly named?: string;
  /** The entry's minute. */
  readonly minute: number;
  /** The copy's path. */
  readonly directory?: string;
  readonly found?: Record<string, string>;
}

function ownerOf({ named, minute, directory = '/gone', found = {} }: Question): EntryOwner {
  const lineage = createLineage({ headers: createFileHeaders(), fileOf: (id) => found[id] });
  return lineage.ownerOf(
    headerOf('copy', 20, named),
    join(directory, fileName('copy', 20)),
    at(minute),
  );
}

const there = { isAssumed: false, isFileThere: true, isTooYoung: false };
const gone = { isAssumed: false, isFileThere: false, isTooYoung: false };
const tooYoung = { isAssumed: true, isFileThere: false, isTooYoung: true };
const unknownAge = { isAssumed: true, isFileThere: false, isTooYoung: false };

it('is the parent that the header names, from the millisecond in which it began', () => {
  const named = write(fresh(), fileName('p', 10), headerOf('p', 10));
  expect(ownerOf({ named, minute: 15 })).toEqual({ sessionId: 'p', cwd: '/srv/p', ...there });
  expect(ownerOf({ named, minute: 10 })).toEqual({ sessionId: 'p', cwd: '/srv/p', ...there });
});

it('is further up where the parent is younger than the entry', () => {
  const directory = fresh();
  const grandparent = write(directory, fileName('g', 0), headerOf('g', 0));
  const named = write(directory, fileName('p', 10), headerOf('p', 10, grandparent));
  expect(ownerOf({ named, minute: 5 })).toEqual({ sessionId: 'g', cwd: '/srv/g', ...there });
});

it('is assumed to be the oldest that is known where all are younger', () => {
  const named = write(fresh(), fileName('p', 10), headerOf('p', 10));
  expect(ownerOf({ named, minute: 5 })).toEqual({ sessionId: 'p', cwd: '/srv/p', ...tooYoung });
  expect(ownerOf({ minute: 5 })).toEqual({ sessionId: 'copy', cwd: '/srv/copy', ...tooYoung });
});

it('is told by the name of a file that is gone, in the directory of the copy', () => {
  expect(ownerOf({ named: `/gone/${fileName('p', 10)}`, minute: 15 })).toEqual({
    sessionId: 'p',
    cwd: '/srv/copy',
    ...gone,
  });
  expect(ownerOf({ named: `/gone/${fileName('p', 10)}`, minute: 5 })).toEqual({
    sessionId: 'p',
    cwd: '/srv/copy',
    ...tooYoung,
  });
});

it.each(['/elsewhere/', 'C:\\Users\\ada/mixed\\', '/srv/with\\both/', ''])(
  'stands beside the copy, in whatever directory the header has it: %s',
  (directoryThen) => {
    const directory = fresh();
    write(directory, fileName('p', 10), headerOf('p', 10));
    expect(
      ownerOf({ named: directoryThen + fileName('p', 10), minute: 15, directory }),
    ).toMatchObject({ cwd: '/srv/p', ...there });
  },
);

it('is searched beside the copy, then where it was found, then in the header', () => {
  const [beside, elsewhere, then] = [fresh(), fresh(), fresh()];
  const name = fileName('p', 10);
  const named = write(then, name, headerOf('p', 10, undefined, '/srv/then'));
  const ask = (found = {}) => ownerOf({ named, minute: 15, directory: beside, found }).cwd;
  expect(ask()).toBe('/srv/then');
  const found = { p: write(elsewhere, name, headerOf('p', 10, undefined, '/srv/elsewhere')) };
  expect(ask(found)).toBe('/srv/elsewhere');
  write(beside, name, headerOf('p', 10, undefined, '/srv/beside'));
  expect(ask(found)).toBe('/srv/beside');
});

it('is not in a file that holds another session than its name says', () => {
  const named = write(fresh(), fileName('p', 10), headerOf('q', 10));
  expect(ownerOf({ named, minute: 15 })).toEqual({ sessionId: 'p', cwd: '/srv/copy', ...gone });
});

it('may be in a file whose name says nothing, unless that is gone or holds the copy itself', () => {
  const directory = fresh();
  const named = write(directory, 'parent.jsonl', headerOf('p', 10));
  expect(ownerOf({ named, minute: 15 })).toEqual({ sessionId: 'p', cwd: '/srv/p', ...there });
  const itself = write(directory, 'itself.jsonl', headerOf('copy', 10));
  for (const path of [itself, join(directory, 'gone.jsonl')])
    expect(ownerOf({ named: path, minute: 15 })).toEqual({
      sessionId: 'copy',
      cwd: '/srv/copy',
      ...tooYoung,
    });
});

it('is found by a bare id, which alone says nothing of its age', () => {
  const found = { p: write(fresh(), fileName('p', 10), headerOf('p', 10)) };
  expect(ownerOf({ named: 'p', minute: 15, found })).toEqual({
    sessionId: 'p',
    cwd: '/srv/p',
    ...there,
  });
  expect(ownerOf({ named: 'p', minute: 15 })).toEqual({
    sessionId: 'p',
    cwd: '/srv/copy',
    ...unknownAge,
  });
});

it('is not in a file that has a bare id for its whole name', () => {
  const directory = fresh();
  write(directory, 'p', headerOf('p', 10));
  expect(ownerOf({ named: 'p', minute: 15, directory })).toMatchObject(unknownAge);
});

it('is told by an id that begins with its time', () => {
  const time = at(10).toString(16).padStart(12, '0').replace(/^.{8}/, '$&-');
  const id = `${time}-7abc-8abc-0123456789ab`;
  expect(ownerOf({ named: id, minute: 15 })).toEqual({ sessionId: id, cwd: '/srv/copy', ...gone });
  expect(ownerOf({ named: id, minute: 5 })).toEqual({
    sessionId: id,
    cwd: '/srv/copy',
    ...tooYoung,
  });
});

it('is found in an end where headers name each other in a circle', () => {
  const directory = fresh();
  write(directory, fileName('p', 10), headerOf('p', 10, join(directory, fileName('q', 11))));
  const named = write(
    directory,
    fileName('q', 11),
    headerOf('q', 11, join(directory, fileName('p', 10))),
  );
  expect(ownerOf({ named, minute: 5 })).toMatchObject(tooYoung);
});

it('has a header that can be asked for by its path', () => {
  const path = write(fresh(), 'p.jsonl', headerOf('p', 10));
  const lineage = createLineage({ headers: createFileHeaders(), fileOf: () => undefined });
  expect(lineage.headerOf(path)).toMatchObject({ id: 'p', cwd: '/srv/p' });
  expect(lineage.headerOf(join(root, 'gone.jsonl'))).toBeNull();
});
