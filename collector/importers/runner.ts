/**
 * Where files are read: in this thread, a batch at a time, or in worker threads when there is much to read.
 *
 * Contract: `read` resolves when the file is read and each of its batches was taken in; it rejects with what `take` rejects with, when the
 * runner was closed, and when the worker ended over this file: other files can be read all the same.
 * At most `width` reads at a time. A worker waits while `batchesAheadMax` of its batches are not taken in.
 */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { EventBatch } from './batches.ts';
import type { ReadJob, ReadResult } from './read-job.ts';
import { createReader, type ReadSettings } from './read-means.ts';
import type { SessionReader } from './session-reader.ts';

export interface Runner {
  readonly width: number;
  read(job: ReadJob, take: (batch: EventBatch) => Promise<void>): Promise<ReadResult>;
  close(): Promise<void>;
}

/** What a worker says. */
export type FromWorker = { readonly kind: 'batch'; readonly batch: EventBatch } | { readonly kind: 'done'; readonly result: ReadResult };

export interface WorkerStart {
  readonly settings: ReadSettings;
  /** One Int32: batches that were taken in. */
  readonly taken: SharedArrayBuffer;
}

/** Beside this file, in the sources as in the bundle (build.mjs). */
const workerFile = import.meta.url.endsWith('.ts') ? './read-worker.ts' : './read-worker.mjs';
/**
 * A small young generation, or events that live for a moment would let the heap grow to several times what is in it. The old one is bounded
 * by the longest line; its limit is far above that, since a worker that meets it takes the whole process with it.
 */
const heapLimits = { maxOldGenerationSizeMb: 2_048, maxYoungGenerationSizeMb: 3 };
/** Below this a worker's start costs more than it saves. */
const bytesForWorkers = 16 * 1024 * 1024;
/** Each takes a heap of its own: more of them would not fit the memory that an import may take. This thread has work of its own. */
const workersMax = 2;

export function createRunner(settings: ReadSettings, bytesToRead: number): Runner {
  if (bytesToRead < bytesForWorkers) return createInlineRunner(settings);
  return createWorkerRunner(settings, Math.max(1, Math.min(workersMax, availableParallelism() - 1)));
}

export function createInlineRunner(settings: ReadSettings): Runner {
  let reader: SessionReader | null = null;
  let isClosed = false;
  return {
    width: 1,
    async read(job, take) {
      reader ??= await createReader(settings);
      const reading = reader(job);
      for (;;) {
        const step = reading.next();
        if (step.done) return step.value;
        await take(step.value);
        if (isClosed) throw closed();
      }
    },
    async close() {
      isClosed = true;
    },
  };
}

export function createWorkerRunner(settings: ReadSettings, width: number): Runner {
  const idle: ReaderThread[] = Array.from({ length: width }, () => startThread(settings));
  const threads = new Set(idle);
  let isClosed = false;

  /** A thread that has ended over a file leaves the others theirs. */
  function giveBack(thread: ReaderThread): void {
    if (thread.isAlive() || isClosed) {
      idle.push(thread);
      return;
    }
    const next = startThread(settings);
    threads.delete(thread);
    threads.add(next);
    idle.push(next);
  }

  return {
    width,
    async read(job, take) {
      const thread = idle.pop();
      if (thread === undefined) throw new Error('more files are being read than there are workers');
      try {
        return await thread.read(job, take);
      } finally {
        giveBack(thread);
      }
    },
    async close() {
      isClosed = true;
      await Promise.all([...threads].map((thread) => thread.end()));
    },
  };
}

interface ReaderThread {
  read: Runner['read'];
  isAlive(): boolean;
  end(): Promise<void>;
}

function startThread(settings: ReadSettings): ReaderThread {
  const taken = new SharedArrayBuffer(4);
  const count = new Int32Array(taken);
  const worker = new Worker(new URL(workerFile, import.meta.url), {
    workerData: { settings, taken } satisfies WorkerStart,
    resourceLimits: heapLimits,
  });
  let current: { take(batch: EventBatch): Promise<void>; resolve(result: ReadResult): void; reject(error: unknown): void } | null = null;
  let taking: Promise<void> = Promise.resolve();
  let isAlive = true;
  const fail = (error: unknown) => {
    isAlive = false;
    current?.reject(error);
    current = null;
    void worker.terminate();
  };

  async function takeIn(batch: EventBatch): Promise<void> {
    await current?.take(batch);
    Atomics.add(count, 0, 1);
    Atomics.notify(count, 0);
  }

  worker.on('message', (message: FromWorker) => {
    // One after another: the events of a file arrive in its order.
    if (message.kind === 'batch') taking = taking.then(() => takeIn(message.batch)).catch(fail);
    else
      taking = taking.then(() => {
        current?.resolve(message.result);
        current = null;
      });
  });
  worker.on('error', fail);
  worker.on('exit', () => fail(closed()));

  return {
    isAlive: () => isAlive,
    read: (job, take) => {
      const { promise, resolve, reject } = Promise.withResolvers<ReadResult>();
      current = { take, resolve, reject };
      worker.postMessage(job);
      return promise;
    },
    async end() {
      await worker.terminate();
    },
  };
}

function closed(): Error {
  return new Error('The import was stopped.');
}
