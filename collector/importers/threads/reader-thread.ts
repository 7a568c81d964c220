/**
 * A worker thread that reads files, one after another, and what of theirs has not been taken in
 * yet.
 *
 * Contract: batches of a file are taken in in its order, and those of a file before those of the
 * next one. The worker goes on with the next file as soon as it has read one, and waits while
 * `batchesAheadMax` of its batches are not taken in.
 */
import { Worker } from 'node:worker_threads';
import type { ReaderSettings } from '../reader-setup.ts';
import type { EventBatch } from './batches.ts';
import type { ReadJob, ReadResult } from './read-job.ts';

export interface ReaderThread {
  /** To be called when the reading before `isRead`. */
  read(job: ReadJob, take: (batch: EventBatch) => Promise<void>): ThreadRead;
  isAlive(): boolean;
  /** What is not read by then is rejected. */
  end(): Promise<void>;
}

interface ThreadRead {
  /** Resolves when the thread has done with the file, or has ended over it. Never rejects. */
  readonly isRead: Promise<void>;
  /**
   * Resolves when all was taken in, too; rejects with what `take` rejects with, and when the thread
   * ended over it.
   */
  readonly result: Promise<ReadResult>;
}

/** What a worker says. */
export type FromWorker =
  | { readonly kind: 'batch'; readonly batch: EventBatch }
  | { readonly kind: 'done'; readonly result: ReadResult };

export interface WorkerStart {
  readonly settings: ReaderSettings;
  /** One Int32: batches that were taken in. */
  readonly taken: SharedArrayBuffer;
  readonly batchesAheadMax: number;
  readonly isBackground: boolean;
}

/** Each is half a megabyte of text at most, and one event. */
const batchesAheadMax = 8;

/** Beside this file, in the sources as in the bundle (build.mjs). */
const workerFile = import.meta.url.endsWith('.ts') ? './read-worker.ts' : './read-worker.mjs';
/**
 * The young generation holds what a few long lines and their events come to; a larger one makes
 * nothing faster. The old one is bounded by the longest line; its limit is far above that, since a
 * worker that meets it takes the whole process with it.
 */
const heapLimits = { maxOldGenerationSizeMb: 2_048, maxYoungGenerationSizeMb: 12 };

interface Current {
  isRejected: boolean;
  take(batch: EventBatch): Promise<void>;
  isRead(): void;
  resolve(result: ReadResult): void;
  reject(error: unknown): void;
}

export function startReaderThread({
  settings,
  isBackground,
}: Pick<WorkerStart, 'settings' | 'isBackground'>): ReaderThread {
  const taken = new SharedArrayBuffer(4);
  const count = new Int32Array(taken);
  const worker = new Worker(new URL(workerFile, import.meta.url), {
    workerData: { settings, taken, batchesAheadMax, isBackground } satisfies WorkerStart,
    resourceLimits: heapLimits,
  });
  let current: Current | null = null;
  let taking: Promise<void> = Promise.resolve();
  let isAlive = true;

  /**
   * Of a file that failed the rest is taken off the worker's hands all the same: it may be reading
   * another one by now.
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
    // One after another: the events of a file arrive in its order.
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
