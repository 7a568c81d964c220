/** Files that a session reader cannot read, or only partly. */
import { mkdirSync, mkdtempSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { failedRead } from '../../../../collector/importers/failed-read.ts';
import type { ReadResult } from '../../../../collector/importers/threads/read-job.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import { writeLines, writeSession } from '../support/files.ts';
import { read, story } from '../support/reader.ts';

const root = temporaryDirectory();

const fresh = () => mkdtempSync(join(root, 'r-'));

const bare = ({ issues, stamp, ...result }: ReadResult) => ({ ...result, issues: issues.count });

it('says what is wrong with a foreign file, and accepts an empty one', async () => {
  const directory = fresh();
  const other = writeLines(join(directory, 'other.jsonl'), ['1']);
  expect(bare((await read(other)).result)).toMatchObject({
    bookmark: null,
    isFailed: true,
    bytes: 2,
    issues: 1,
  });
  const empty = join(directory, 'empty.jsonl');
  writeFileSync(empty, '');
  expect(bare((await read(empty)).result)).toMatchObject({
    bookmark: null,
    isFailed: false,
    bytes: 0,
    issues: 0,
  });
});

it('reports a missing or unreadable file; only the latter may hold spend', async () => {
  const directory = join(fresh(), 'd.jsonl');
  mkdirSync(directory);
  const gone = join(directory, 'gone.jsonl');
  const failed = {
    stamp: null,
    bookmark: null,
    isFailed: true,
    bytes: 0,
    wentOn: false,
    againAtMs: null,
    claims: [],
  };
  expect((await read(gone)).result).toEqual({
    ...failed,
    issues: {
      list: [
        {
          code: 'file_gone',
          file: gone,
          line: null,
          message: 'the file was deleted during the import',
          mayHoldSpend: false,
        },
      ],
      count: 1,
      lostCount: 0,
    },
  });
  expect((await read(directory)).result).toEqual({
    ...failed,
    issues: {
      list: [
        {
          code: 'file_unreadable',
          file: directory,
          line: null,
          message: 'the file cannot be read (EISDIR)',
          mayHoldSpend: true,
        },
      ],
      count: 1,
      lostCount: 1,
    },
  });
});

it.skipIf(process.platform !== 'linux')('leaves no file open, whatever came of it', async () => {
  const directory = fresh();
  const path = writeSession(directory, story());
  const open = () =>
    readdirSync('/proc/self/fd').map(
      (descriptor) => statSync(join('/proc/self/fd', descriptor), { throwIfNoEntry: false })?.ino,
    );
  for (const each of [path, directory]) await read(each);
  for (const each of [path, directory]) expect(open()).not.toContain(statSync(each).ino);
});

it('throws what is no fault of a file', async () => {
  await expect(read('a\0b')).rejects.toThrow('null bytes');
});

it('notes a file of which nothing could be made by the stamp that it had', () => {
  const issue = {
    code: 'file_unreadable',
    file: '/a',
    line: null,
    message: 'm',
    mayHoldSpend: true,
  } as const;
  expect(failedRead(issue, 'stamp')).toMatchObject({
    stamp: 'stamp',
    isFailed: true,
    issues: { list: [issue], count: 1, lostCount: 1 },
  });
});
