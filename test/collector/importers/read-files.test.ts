/** Many files, as many at a time as the runner reads: what is noted of each, and when. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { type Issue, lostIn } from '../../../collector/importers/issues.ts';
import type { FileProgress, Progress } from '../../../collector/importers/progress/progress.ts';
import { type FileOutcome, readFiles } from '../../../collector/importers/read-files.ts';
import type { ReadJob, ReadResult } from '../../../collector/importers/threads/read-job.ts';
import type { Runner } from '../../../collector/importers/threads/runner.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { memoryProgress } from './support/imports.ts';
import { bookmark, claim, file } from './support/kept.ts';

const root = temporaryDirectory();
const job = (path: string, more: Partial<ReadJob> = {}): ReadJob => ({
  path,
  importer: 'pi',
  from: null,
  claimedBy: null,
  ...more,
});
const numbered = (count: number) => Array.from({ length: count }, (_, index) => job(`/${index}`));

const result = (more: Partial<ReadResult> = {}): ReadResult => ({
  stamp: 's',
  bookmark: null,
  isFailed: false,
  bytes: 1,
  wentOn: false,
  issues: { list: [], count: 0, lostCount: 0 },
  againAtMs: null,
  claims: [],
  ...more,
});

const issue = (line: number | null, mayHoldSpend = false): Issue => ({
  code: 'not_json',
  file: '/a',
  line,
  message: 'm',
  mayHoldSpend,
});
const listed = (...list: Issue[]) => ({ list, count: list.length, lostCount: lostIn(list) });

interface Asked {
  readonly width?: number;
  readonly progress?: Progress;
  readonly signal?: AbortSignal;
  read(job: ReadJob): ReadResult | Promise<ReadResult>;
  take?(): Promise<void>;
}

/** What was noted, what was saved together, and how many files were in hand at most. */
async function readingOf(
  jobs: Iterable<ReadJob>,
  { width = 1, read, take = async () => undefined, signal, progress = memoryProgress() }: Asked,
) {
  const noted: FileOutcome[] = [];
  const saved: FileProgress[][] = [];
  let inHand = 0;
  let most = 0;
  const runner: Runner = {
    width,
    async read(asked, taken) {
      inHand += 1;
      most = Math.max(most, inHand);
      try {
        await taken({ texts: ['{}'], bytes: 1 });
        return await read(asked);
      } finally {
        inHand -= 1;
      }
    },
    close: async () => undefined,
  };
  const watching: Progress = {
    ...progress,
    save(files, claims) {
      saved.push([...files]);
      progress.save(files, claims);
    },
  };
  const failure = await readFiles(jobs, {
    runner,
    progress: watching,
    take,
    note: (reading) => void noted.push(reading),
    signal,
  }).then(
    () => null,
    (error: unknown) => error,
  );
  return { noted, saved, most, failure, progress };
}

it('notes each file, and saves 64 of them together', async () => {
  const { noted, saved, failure, progress } = await readingOf(numbered(130), {
    read: () => result(),
  });
  expect(failure).toBeNull();
  expect(noted.map(({ path }) => path)).toEqual(numbered(130).map(({ path }) => path));
  expect(saved.map(({ length }) => length)).toEqual([64, 64, 2]);
  expect(progress.files().size).toBe(130);
});

it('saves nothing where there is nothing', async () => {
  expect((await readingOf([], { read: () => result() })).saved).toEqual([]);
  expect((await readingOf(numbered(1), { read: () => result({ stamp: null }) })).saved).toEqual([]);
});

it('reads as many at a time as the runner does', async () => {
  const read = async () => {
    await sleep(1);
    return result();
  };
  for (const width of [1, 3])
    expect((await readingOf(numbered(9), { width, read })).most).toBe(width);
});

it('saves what the files claim', async () => {
  const child = file('/child', { bookmark: bookmark('child', { firstAnswer: 'r1' }) });
  const progress = memoryProgress();
  progress.save([child], []);
  await readingOf(numbered(2), {
    progress,
    read: ({ path }) => result({ claims: [claim('r1', `of ${path}`)] }),
  });
  expect(progress.lateChildren()[0]?.alsoClaimedBy.map(({ parent }) => parent.sessionId)).toEqual([
    'of /0',
    'of /1',
  ]);
});

it('keeps who claims a file, and what reading it came to', async () => {
  const claimedBy = { sessionId: 'p', key: 'turn:t' };
  const alsoClaimedBy = [{ firstAnswer: null, parent: { sessionId: 'q', key: 'turn:q' } }];
  const more = {
    bookmark: bookmark('s'),
    isFailed: true,
    againAtMs: 5,
    issues: listed(issue(1, true)),
  };
  const { progress } = await readingOf([job('/a', { claimedBy, alsoClaimedBy })], {
    read: () => result(more),
  });
  expect(progress.of('/a')).toEqual({ path: '/a', stamp: 's', claimedBy, alsoClaimedBy, ...more });
  const other = await readingOf([job('/a')], { read: () => result() });
  expect(other.progress.of('/a')).toEqual(file('/a'));
});

it('keeps what was wrong with lines that were not read again, and when to read them', async () => {
  const before = file('/a', {
    bookmark: bookmark('s'),
    issues: {
      ...listed(issue(null), issue(1, true), issue(2), issue(3, true)),
      count: 9,
      lostCount: 7,
    },
    againAtMs: 50,
  });
  const from = bookmark('s');
  const readAgain = async (more: Partial<ReadResult>, given: Partial<ReadJob> = { from }) => {
    const progress = memoryProgress();
    progress.save([before], []);
    const { noted } = await readingOf([job('/a', given)], { progress, read: () => result(more) });
    const [{ issues, againAtMs } = file('none')] = noted;
    return {
      lines: issues.list.map(({ line }) => line),
      count: issues.count,
      lostCount: issues.lostCount,
      againAtMs,
    };
  };
  expect(await readAgain({ wentOn: true })).toEqual({
    lines: [null, 1, 2],
    count: 8,
    lostCount: 6,
    againAtMs: 50,
  });
  expect(await readAgain({ wentOn: true, issues: listed(issue(4, true)), againAtMs: 70 })).toEqual({
    lines: [null, 1, 2, 4],
    count: 9,
    lostCount: 7,
    againAtMs: 50,
  });
  expect((await readAgain({ wentOn: true, againAtMs: 30 })).againAtMs).toBe(30);
  const anew = { lines: [4], count: 1, lostCount: 1, againAtMs: 70 };
  expect(await readAgain({ wentOn: false, issues: listed(issue(4, true)), againAtMs: 70 })).toEqual(
    anew,
  );
  expect(
    await readAgain(
      { wentOn: true, issues: listed(issue(4, true)), againAtMs: 70 },
      { from: null },
    ),
  ).toEqual(anew);
});

it('names a file on which reading fails, with its stamp, and reads the others', async () => {
  const path = join(mkdtempSync(join(root, 'a-')), 'there');
  writeFileSync(path, 'x');
  const read = ({ path: asked }: ReadJob) => {
    if (asked === path) throw new Error('broken');
    if (asked === '/gone') throw 'odd';
    return result();
  };
  const { noted, failure, progress } = await readingOf([job(path), job('/gone'), job('/b')], {
    read,
  });
  expect(failure).toBeNull();
  expect(noted.map(({ path: of, isFailed, issues }) => [of, isFailed, issues.list])).toEqual([
    [
      path,
      true,
      [
        {
          code: 'file_unreadable',
          file: path,
          line: null,
          message: 'the file cannot be read (broken)',
          mayHoldSpend: true,
        },
      ],
    ],
    [
      '/gone',
      true,
      [
        {
          code: 'file_unreadable',
          file: '/gone',
          line: null,
          message: 'the file cannot be read (odd)',
          mayHoldSpend: true,
        },
      ],
    ],
    ['/b', false, []],
  ]);
  expect([...progress.files().keys()].sort()).toEqual(['/b', path].sort());
});

it('ends with a failing store, asks it once, and keeps what was accepted before', async () => {
  for (const width of [1, 3]) {
    let asked = 0;
    const take = async () => {
      asked += 1;
      if (asked === 6) throw new Error('disk full');
    };
    const { noted, failure, progress } = await readingOf(numbered(20), {
      width,
      take,
      read: () => result(),
    });
    expect(failure).toEqual(new Error('disk full'));
    expect(asked).toBe(6);
    expect(noted).toHaveLength(5);
    expect(progress.files().size).toBe(5);
  }
});

it('ends when it is told to, and keeps what was taken in before', async () => {
  const stopping = new AbortController();
  const read = ({ path }: ReadJob) => {
    if (path === '/2') stopping.abort();
    return result();
  };
  const { noted, failure, progress } = await readingOf(numbered(9), {
    read,
    signal: stopping.signal,
  });
  expect(failure).toEqual(new Error('The import was stopped.'));
  expect(noted).toHaveLength(3);
  expect(progress.files().size).toBe(3);
});

it('takes what breaks a reading that was told to end for no fault of the file', async () => {
  const stopping = new AbortController();
  const read = () => {
    stopping.abort();
    throw new Error('the thread is gone');
  };
  const { noted, failure } = await readingOf(numbered(9), { read, signal: stopping.signal });
  expect(failure).toEqual(new Error('the thread is gone'));
  expect(noted).toEqual([]);
});
