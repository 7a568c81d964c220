/**
 * Controls a worker thread that reads files one after another, and passes its batches on.
 *
 * Contract: batches are taken in order, within a file and from file to file. The worker starts the
 * next file as soon as it has read one, and waits while `batchesAheadMax` of its batches are not
 * taken yet.
 */
import { Worker } from 'node:worker_threads';
import type { ReaderSettings } from '../reader-setup.ts';
import type { EventBatch } from './batches.ts';
import type { ReadJob, ReadResult } from './read-job.ts';

export interface ReaderThread {
  /** Call only after `isRead` of the previous read. */
  read(job: ReadJob, take: (batch: EventBatch) => Promise<void>): ThreadRead;
  isAlive(): boolean;
  /** Rejects unfinished reads. */
  end(): Promise<void>;
}

interface ThreadRead {
  /** Resolves when the thread has read the file or died. Never rejects. */
  readonly isRead: Promise<void>;
  /**
   * Resolves when everything was taken too; rejects with the error of `take`, and when the thread
   * dies.
   */
  readonly result: Promise<ReadResult>;
}

/** Messages from the worker. */
export type FromWorker =
  | { readonly kind: 'batch'; readonly batch: EventBatch }
  | { readonly kind: 'done'; readonly result: ReadResult };

export interface WorkerStart {
  readonly settings: ReaderSettings;
  /** One Int32: the number of batches taken. */
  readonly taken: SharedArrayBuffer;
  readonly batchesAheadMax: number;
  readonly isBackground: boolean;
}

/** Each has at most half a megabyte of text and one event. */
const batchesAheadMax = 8;

/** Beside this file, in the sources and in the bundle (build.mjs). */
const workerFileUsual = new URL(
  import.meta.url.endsWith('.ts') ? './read-worker.ts' : './read-worker.mjs',
  import.meta.url,
);
/**
 * The young generation has room for a few long lines and their events; a larger one is not faster.
 * The longest line bounds the old generation; its limit is far higher, because a worker that
 * reaches it kills the whole process.
 */
const heapLimits = { maxOldGenerationSizeMb: 2_048, maxYoungGenerationSizeMb: 12 };

interface Current {
  isRejected: boolean;
  take(batch: EventBatch): Promise<void>;
  isRead(): void;
  resolve(result: ReadResult): void;
  reject(error: unknown): void;
}

/** `workerFile`: for tests. */
export function startReaderThread(
  { settings, isBackground }: Pick<WorkerStart, 'settings' | 'isBackground'>,
  workerFile: URL = workerFileUsual,
): ReaderThread {
  const taken = new SharedArrayBuffer(4);
  const count = new Int32Array(taken);
  const worker = new Worker(workerFile, {
    workerData: { settings, taken, batchesAheadMax, isBackground } satisfies WorkerStart,
    resourceLimits: heapLimits,
  });
  let current: Current | null = null;
  let taking: Promise<void> = Promise.resolve();
  let isAlive = true;

  /**
   * Batches of a failed file are still acknowledged to the worker, which may be reading another
   * file by now.
   */
  async function takeIn(batch: EventBatch, of: Current): Promise<void> {
    if (!of.isRejected) await of.take(batch).catch(of.reject);
    Atomics.add(count, 0, 1);
    Atomics.notify(count, 0);
  }

  function end(error: unknown): void {
    isAlive = false;
    current?.reject(error);
    current?.isRead();
    current = null;
    void worker.terminate();
  }

  worker.on('message', (message: FromWorker) => {
    const of = current;
    if (of === null) return;
    // One after another, so that a file's events arrive in order.
    if (message.kind === 'batch') taking = taking.then(() => takeIn(message.batch, of));
    else {
      taking = taking.then(() => of.resolve(message.result));
      current = null;
      of.isRead();
    }
  });
  worker.on('error', end);
  worker.on('exit', () => end(new Error('The import was stopped.')));

  return {
    isAlive: () => isAlive,
    read(job, take) {
      const result = Promise.withResolvers<ReadResult>();
      const read = Promise.withResolvers<void>();
      const of: Current = {
        isRejected: false,
        take,
        isRead: read.resolve,
        resolve: result.resolve,
        reject(error) {
          of.isRejected = true;
          result.reject(error);
        },
      };
      current = of;
      worker.postMessage(job);
      return { isRead: read.promise, result: result.promise };
    },
    async end() {
      await worker.terminate();
    },
  };
}
