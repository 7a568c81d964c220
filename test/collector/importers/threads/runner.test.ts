/** Worker threads read in parallel, with the same result as one thread reading file after file. */
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { writeDemoSessions } from '../../../../collector/cli/demo/session-files.ts';
import { pi } from '../../../../collector/importers/pi/importer.ts';
import type { ScanOptions } from '../../../../collector/importers/scan.ts';
import type { ReadJob } from '../../../../collector/importers/threads/read-job.ts';
import {
  createInlineRunner,
  createWorkerRunner,
  type Runner,
} from '../../../../collector/importers/threads/runner.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import { createImports } from '../support/imports.ts';

const root = temporaryDirectory();
const sessions = mkdtempSync(join(root, 'sessions-'));
const fileCount = 24;
writeDemoSessions({
  directory: sessions,
  bytes: 5e6,
  files: fileCount,
  seed: 3,
  until: new Date('2026-11-20T00:00:00Z'),
});

type CreateRunner = NonNullable<ScanOptions['createRunner']>;
const inWorkers =
  (workers: number): CreateRunner =>
  (settings) =>
    createWorkerRunner(settings, workers);

/** The ids in the log's order, and the scan's result. */
async function imported(options: Partial<ScanOptions>) {
  const imports = createImports(pi, sessions);
  const result = await imports.scan(options);
  return { result, ids: [...imports.events.keys()] };
}

describe('a pass with worker threads', () => {
  it.each([1, 2, 3])(
    'hands its events over in the order of the files, with %i of them',
    async (workers) => {
      const expected = await imported({});
      expect(expected.ids.length).toBeGreaterThan(500);
      expect(await imported({ createRunner: inWorkers(workers) })).toEqual(expected);
    },
  );

  it('takes in one batch at a time, whoever is slow', async () => {
    let inHand = 0;
    const slowly = async (values: readonly unknown[]) => {
      inHand += 1;
      expect(inHand).toBe(1);
      await sleep(values.length % 5);
      inHand -= 1;
      return { accepted: values.length, duplicates: 0, expired: 0, rejected: [] };
    };
    const { result } = await imported({ createRunner: inWorkers(2), accept: slowly });
    expect(result).toMatchObject({ files: { read: fileCount }, issueCount: 0 });
  });

  it.each([1, 2])('asks a store that failed no second time, with %i of them', async (workers) => {
    let asked = 0;
    const accept = async (values: readonly unknown[]) => {
      asked += 1;
      if (asked === 4) throw new Error('disk full');
      return { accepted: values.length, duplicates: 0, expired: 0, rejected: [] };
    };
    const imports = createImports(pi, sessions);
    await expect(imports.scan({ createRunner: inWorkers(workers), accept })).rejects.toThrow(
      'disk full',
    );
    expect(asked).toBe(4);
    const after = await imports.scan({ createRunner: inWorkers(workers) });
    expect(after.files.read + after.files.unchanged).toBe(fileCount);
    expect(after.files.unchanged).toBeLessThan(4);
  });

  it('ends when it is told to, whatever waits for its turn', async () => {
    const stopping = new AbortController();
    const accept = async (values: readonly unknown[]) => {
      stopping.abort();
      return { accepted: values.length, duplicates: 0, expired: 0, rejected: [] };
    };
    await expect(
      imported({ createRunner: inWorkers(2), accept, signal: stopping.signal }),
    ).rejects.toThrow('stopped');
  });

  it('says that it was stopped, also where all that was being read came to its end', async () => {
    const stopping = new AbortController();
    const accept = async (values: readonly unknown[]) => {
      stopping.abort();
      return { accepted: values.length, duplicates: 0, expired: 0, rejected: [] };
    };
    const createRunner: CreateRunner = (settings) => ({
      ...createInlineRunner(settings),
      close: async () => undefined,
    });
    await expect(imported({ createRunner, accept, signal: stopping.signal })).rejects.toThrow(
      'stopped',
    );
  });

  it.each([1, 2])(
    'loses a thread over one file, and reads the others, with %i of them',
    async (workers) => {
      const createRunner: CreateRunner = (settings) => {
        const runner = createWorkerRunner(settings, workers);
        let reads = 0;
        // No file system accepts such a name, so reading it is a bug that kills the thread.
        const broken = (job: ReadJob) => ({ ...job, path: `${job.path}\0` });
        const read: Runner['read'] = (job, take) => {
          reads += 1;
          return runner.read(reads % 4 === 0 ? broken(job) : job, take);
        };
        return { ...runner, read };
      };
      const { result } = await imported({ createRunner });
      expect(result).toMatchObject({
        files: { read: (fileCount * 3) / 4, failed: fileCount / 4 },
        issueCount: fileCount / 4,
      });
    },
  );

  it.skipIf(process.platform !== 'linux')(
    'gives way to all else in the background, and does not take this thread along',
    async () => {
      const before = { own: getPriority(), lowest: lowestPriority() };
      let during = before.lowest;
      const accept = async (values: readonly unknown[]) => {
        during = lowestPriority();
        return { accepted: values.length, duplicates: 0, expired: 0, rejected: [] };
      };
      await imported({ createRunner: (settings) => createWorkerRunner(settings, 1, true), accept });
      expect(during).toBe(Math.min(19, before.own + 10));
      expect(getPriority()).toBe(before.own);
    },
  );
});

/** The highest niceness of this process' threads. */
function lowestPriority(): number {
  const threads = readdirSync('/proc/self/task');
  return Math.max(
    ...threads.map((thread) =>
      Number(readFileSync(`/proc/self/task/${thread}/stat`, 'utf8').split(') ')[1]?.split(' ')[16]),
    ),
  );
}
