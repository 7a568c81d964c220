/** One thread that reads files, and the choice between thread and inline reading. */
import { mkdtempSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { EventBatch } from '../../../../collector/importers/threads/batches.ts';
import type { ReadJob } from '../../../../collector/importers/threads/read-job.ts';
import { startReaderThread } from '../../../../collector/importers/threads/reader-thread.ts';
import {
  createInlineRunner,
  createRunner,
  createWorkerRunner,
} from '../../../../collector/importers/threads/runner.ts';
import { answer, append, newSession } from '../../../extension/support/fake-session.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import { writeSession } from '../support/files.ts';

const root = temporaryDirectory();
const startMs = Date.parse('2026-11-20T09:00:00.000Z');
const settings = {
  homeDirectory: '/home/ada',
  auditContent: false,
  version: '0.1.0',
  latestTime: '9999',
  files: new Map<string, string>(),
};

/** A session that fills this many batches. */
function jobOf(id: string, batches: number): ReadJob {
  const session = newSession(id, startMs);
  for (let index = 0; index < batches * 400; index += 1)
    append(session, `a${index}`, startMs + index + 1, answer(`${id}-${index}`));
  const path = writeSession(mkdtempSync(join(root, 'sessions-')), session);
  return { path, importer: 'pi', from: null, claimedBy: null };
}

function start() {
  const thread = startReaderThread({ settings, isBackground: false });
  onTestFinished(() => thread.end());
  return thread;
}

/** The first event of a batch. */
const firstOf = ({ texts }: EventBatch) =>
  texts[0] === undefined ? null : JSON.parse(texts[0]).id;
const nowhere = { path: 'a\0b', importer: 'pi', from: null, claimedBy: null } as const;

it('delivers the same batches in the same order, one at a time, as one thread', async () => {
  const job = jobOf('s', 12);
  const here: unknown[] = [];
  const result = await createInlineRunner(settings).read(
    job,
    async (batch) => void here.push(firstOf(batch)),
  );
  const there: unknown[] = [];
  let inHand = 0;
  const reading = start().read(job, async (batch) => {
    inHand += 1;
    expect(inHand).toBe(1);
    await new Promise((resolve) => setImmediate(resolve));
    inHand -= 1;
    there.push(firstOf(batch));
  });
  expect(await reading.result).toEqual(result);
  expect(there).toEqual(here);
  expect(here).toHaveLength(13);
});

it('is done with a file before all of it was taken in, and goes on with the next one', async () => {
  const thread = start();
  const taking = Promise.withResolvers<void>();
  const order: string[] = [];
  const first = thread.read(jobOf('a', 2), async () => {
    await taking.promise;
    order.push('a');
  });
  await first.isRead;
  const second = thread.read(jobOf('b', 1), async () => void order.push('b'));
  await second.isRead;
  expect(order).toEqual([]);
  taking.resolve();
  await Promise.all([first.result, second.result]);
  expect(order).toEqual(['a', 'a', 'a', 'b', 'b']);
});

it('rejects with the error of taking a batch, and reads the next file', async () => {
  const thread = start();
  let asked = 0;
  const failing = thread.read(jobOf('a', 12), () => {
    asked += 1;
    return Promise.reject(new Error('disk full'));
  });
  await expect(failing.result).rejects.toThrow('disk full');
  await failing.isRead;
  expect(asked).toBe(1);
  expect(thread.isAlive()).toBe(true);
  const taken: unknown[] = [];
  expect(
    (await thread.read(jobOf('b', 1), async (batch) => void taken.push(firstOf(batch))).result)
      .isFailed,
  ).toBe(false);
  expect(taken).toHaveLength(2);
});

it('ends over a bug, with the file that it was reading', async () => {
  const thread = start();
  expect(thread.isAlive()).toBe(true);
  const reading = thread.read(nowhere, async () => undefined);
  await expect(reading.result).rejects.toThrow('null bytes');
  await reading.isRead;
  expect(thread.isAlive()).toBe(false);
});

it('ends when it is told to, with the file that it was reading', async () => {
  const thread = start();
  const reading = thread.read(jobOf('a', 12), () => new Promise(() => undefined));
  const rejected = expect(reading.result).rejects.toThrow('The import was stopped.');
  await thread.end();
  await rejected;
  await reading.isRead;
  expect(thread.isAlive()).toBe(false);
});

it('is used where there is much to read; in the background one is enough', async () => {
  const width = async (work: Parameters<typeof createRunner>[1]) => {
    const runner = createRunner(settings, work);
    await runner.close();
    return runner.width;
  };
  const enough = 16 * 1024 * 1024;
  const both = Math.min(2, availableParallelism()) + 6;
  expect(await width({ files: 9, bytes: enough - 1, isBackground: false })).toBe(1);
  expect(await width({ files: 9, bytes: enough, isBackground: false })).toBe(both);
  expect(await width({ files: 1, bytes: enough, isBackground: false })).toBe(7);
  expect(await width({ files: 0, bytes: enough, isBackground: false })).toBe(7);
  expect(await width({ files: 9, bytes: enough, isBackground: true })).toBe(7);
});

it.each([
  ['in this thread', createInlineRunner],
  ['in a worker', (given: typeof settings) => createWorkerRunner(given, 1)],
])('a runner that was closed reads no more: %s', async (_where, create) => {
  const runner = create(settings);
  const job = jobOf('a', 2);
  let taken = 0;
  const take = async () => {
    taken += 1;
    await runner.close();
  };
  await expect(runner.read(job, take)).rejects.toThrow('The import was stopped.');
  expect(taken).toBe(1);
  await expect(runner.read(job, take)).rejects.toThrow('The import was stopped.');
});

it('a runner replaces the thread that died on a file', async () => {
  const runner = createWorkerRunner(settings, 1);
  onTestFinished(() => runner.close());
  const take = async () => undefined;
  const both = [runner.read(nowhere, take), runner.read(jobOf('a', 1), take)];
  expect((await Promise.allSettled(both)).map(({ status }) => status)).toEqual([
    'rejected',
    'fulfilled',
  ]);
  await expect(runner.read(nowhere, take)).rejects.toThrow('null bytes');
  expect((await runner.read(jobOf('b', 1), take)).isFailed).toBe(false);
});
