import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { type Issue, lostIn } from '../../../collector/importers/issues.ts';
import type { ReadJob, ReadResult } from '../../../collector/importers/threads/read-job.ts';
import { memoryProgress } from './support/imports.ts';
import { bookmark, claim, file } from './support/kept.ts';
import { job, readingOf, result } from './support/read-files.ts';

const numbered = (count: number) => Array.from({ length: count }, (_, index) => job(`/${index}`));

const issue = (line: number | null, mayHoldSpend = false): Issue => ({
  code: 'not_json',
  file: '/a',
  line,
  message: 'm',
  mayHoldSpend,
});

const listed = (...list: Issue[]) => ({ list, count: list.length, lostCount: lostIn(list) });

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
  expect(progress.of('/a')).toEqual({
    path: '/a',
    stamp: 's',
    claimedBy,
    alsoClaimedBy,
    ties: [],
    ...more,
  });
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
