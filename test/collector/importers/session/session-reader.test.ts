/** One file after the other, as the file system has it. */
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fileStampOf } from '../../../../collector/importers/progress/file-stamp.ts';
import { createReader } from '../../../../collector/importers/reader-setup.ts';
import { failedRead } from '../../../../collector/importers/session/session-reader.ts';
import type { ReadJob, ReadResult } from '../../../../collector/importers/threads/read-job.ts';
import {
  answer,
  append,
  fork,
  newSession,
  userSays,
} from '../../../extension/support/fake-session.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import { writeLines, writeSession } from '../support/files.ts';

const root = temporaryDirectory();
const startMs = Date.parse('2026-11-20T09:00:00.000Z');
const fresh = () => mkdtempSync(join(root, 'r-'));

function story(answers = 2) {
  const session = newSession('s', startMs);
  append(session, 'u', startMs + 1, userSays());
  for (let index = 0; index < answers; index += 1)
    append(session, `a${index}`, startMs + 2 + index, answer(`r${index}`));
  return session;
}

const settings = {
  homeDirectory: '/home/ada',
  auditContent: false,
  version: '0.1.0',
  latestTime: '9999',
  files: new Map(),
};

/** The batches' sizes, and what came of the file. */
async function read(
  path: string,
  more: Partial<ReadJob> = {},
  between: () => void = () => undefined,
) {
  const reader = await createReader(settings);
  const reading = reader({ path, importer: 'pi', from: null, claimedBy: null, ...more });
  const batches: number[] = [];
  const types: string[] = [];
  let step = reading.next();
  for (; !step.done; step = reading.next()) {
    batches.push(step.value.texts.length);
    types.push(...step.value.texts.map((text) => JSON.parse(text).type));
    between();
  }
  return { batches, types, result: step.value };
}

const bare = ({ issues, stamp, ...result }: ReadResult) => ({ ...result, issues: issues.count });

it('gives the events of a file, where it ended, and how the file looked', async () => {
  const path = writeSession(fresh(), story());
  const { result, batches } = await read(path);
  const size = statSync(path).size;
  expect(result).toMatchObject({
    stamp: fileStampOf(statSync(path, { bigint: true })),
    bookmark: {
      offset: size,
      lines: 4,
      proof: expect.stringMatching(/^.{44}$/),
      header: { id: 's' },
      standing: { hasOwn: true },
    },
    isFailed: false,
    bytes: size,
    wentOn: false,
    issues: { list: [], count: 0, lostCount: 0 },
    againAtMs: null,
    claims: [],
  });
  expect(batches).toEqual([5]);
});

it('goes on where it ended, and gives the rest alone', async () => {
  const path = writeSession(fresh(), story());
  const from = (await read(path)).result.bookmark;
  expect(bare((await read(path, { from })).result)).toMatchObject({
    bytes: 0,
    wentOn: true,
    bookmark: from,
  });
  appendFileSync(
    path,
    `${JSON.stringify({ ...answer('r9'), id: 'n', parentId: 'a1', timestamp: new Date(startMs + 9).toISOString() })}\n`,
  );
  const { result, types } = await read(path, { from });
  expect(result).toMatchObject({
    wentOn: true,
    bytes: statSync(path).size - (from?.offset ?? 0),
    bookmark: { lines: 5 },
  });
  expect(types).toEqual(['pi.turn.completed.v1']);
});

it('begins again where the file does not begin with what was read of it', async () => {
  const path = writeSession(fresh(), story());
  const from = (await read(path)).result.bookmark;
  const other = newSession('s', startMs);
  append(other, 'b', startMs + 5, answer('other'));
  writeSession(join(path, '..'), other);
  const { result } = await read(path, { from });
  expect(result).toMatchObject({
    wentOn: false,
    bytes: statSync(path).size,
    bookmark: { lines: 2 },
  });
});

it('begins again where an entry hangs below one that was read long before', async () => {
  const session = story(40);
  const path = writeSession(fresh(), session);
  const from = (await read(path)).result.bookmark;
  session.leafId = 'a1';
  append(session, 'branch', startMs + 100, answer('rb'));
  writeSession(join(path, '..'), session);
  expect((await read(path, { from })).result).toMatchObject({
    wentOn: false,
    bytes: statSync(path).size,
    bookmark: { lines: 43 },
  });
});

it('starts over with a fork without own entries: copies are counted together', async () => {
  const session = fork(story(), 'c', startMs + 60_000);
  const path = writeSession(fresh(), session);
  const { bookmark } = (await read(path)).result;
  expect(bookmark?.standing.hasOwn).toBe(false);
  expect((await read(path, { from: bookmark })).result).toMatchObject({
    wentOn: false,
    bytes: statSync(path).size,
  });
});

it('proves nothing of a file that was changed while it was read', async () => {
  const path = writeSession(fresh(), story());
  const { result } = await read(path, {}, () => writeSession(join(path, '..'), story()));
  expect(result.bookmark?.proof).toBe('');
});

it('gives a line that comes to many events in batches of a request', async () => {
  const path = writeSession(fresh(), story(1_000));
  const { batches, types } = await read(path);
  expect(batches).toEqual([400, 400, types.length - 800]);
  expect(types).toHaveLength(1_003);
});

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
