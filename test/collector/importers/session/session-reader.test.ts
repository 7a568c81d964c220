/** Reads single files from the file system. */
import { appendFileSync, mkdtempSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { stampFile } from '../../../../collector/importers/progress/file-stamp.ts';
import type { ReadResult } from '../../../../collector/importers/threads/read-job.ts';
import { answer, append, fork, newSession } from '../../../extension/support/fake-session.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import { writeSession } from '../support/files.ts';
import { read, startMs, story } from '../support/reader.ts';

const root = temporaryDirectory();

const fresh = () => mkdtempSync(join(root, 'r-'));

const bare = ({ issues, stamp, ...result }: ReadResult) => ({ ...result, issues: issues.count });

it('gives the events of a file, where it ended, and how the file looked', async () => {
  const path = writeSession(fresh(), story());
  const { result, batches } = await read(path);
  const size = statSync(path).size;
  expect(result).toMatchObject({
    stamp: stampFile(statSync(path, { bigint: true })),
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
  const timestamp = new Date(startMs + 9).toISOString();
  const added = { ...answer('r9'), id: 'n', parentId: 'a1', timestamp };
  appendFileSync(path, `${JSON.stringify(added)}\n`);
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
