import type { FileProgress } from '../../../../collector/importers/progress/file-rows.ts';
import type { ProgressStore } from '../../../../collector/importers/progress/progress.ts';
import { type FileOutcome, readFiles } from '../../../../collector/importers/read-files.ts';
import type { ReadJob, ReadResult } from '../../../../collector/importers/threads/read-job.ts';
import type { Runner } from '../../../../collector/importers/threads/runner.ts';
import { memoryProgress } from './imports.ts';

export const job = (path: string, more: Partial<ReadJob> = {}): ReadJob => ({
  path,
  importer: 'pi',
  from: null,
  claimedBy: null,
  ...more,
});

export const result = (more: Partial<ReadResult> = {}): ReadResult => ({
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

interface Asked {
  readonly width?: number;
  readonly progress?: ProgressStore;
  readonly signal?: AbortSignal;
  read(job: ReadJob): ReadResult | Promise<ReadResult>;
  take?(): Promise<void>;
}

/** What was noted, what was saved together, and the most files read at once. */
export async function readingOf(
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
  const watching: ProgressStore = {
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
