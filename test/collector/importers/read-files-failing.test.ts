/** Files, stores and signals that stop reading. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as later } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { readFiles } from '../../../collector/importers/read-files.ts';
import type { ReadJob } from '../../../collector/importers/threads/read-job.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { memoryProgress } from './support/imports.ts';
import { job, readingOf, result } from './support/read-files.ts';

const root = temporaryDirectory();

const numbered = (count: number) => Array.from({ length: count }, (_, index) => job(`/${index}`));

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

it('ends every lane with the one that failed, even those with nothing to store', async () => {
  const asked: string[] = [];
  const reading = readFiles(numbered(20), {
    runner: {
      width: 2,
      async read({ path }, taken) {
        asked.push(path);
        if (path === '/0') await taken({ texts: ['{}'], bytes: 1 });
        else await later();
        return result();
      },
      close: async () => undefined,
    },
    progress: memoryProgress(),
    take: () => Promise.reject(new Error('disk full')),
    note: () => undefined,
    signal: undefined,
  });
  await expect(reading).rejects.toThrow('disk full');
  expect(asked).toEqual(['/0', '/1']);
});
