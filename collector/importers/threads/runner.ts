/**
 * Reads files in this thread, a batch at a time, or in worker threads when there is much to read.
 *
 * Contract: `read` resolves when the file is read and all its batches are taken. It rejects with
 * the error of `take`, when the runner is closed, and when the worker dies on this file; other
 * files can still be read. At most `width` reads at a time. Batches are taken one after another, in
 * the order in which the reads began, so the same files give the same log however they are read.
 */
import { availableParallelism } from 'node:os';
import type { Parse } from '../importer.ts';
import { createReader, type ReaderSettings } from '../reader-setup.ts';
import type { EventBatch } from './batches.ts';
import type { ReadJob, ReadResult } from './read-job.ts';
import { type ReaderThread, startReaderThread } from './reader-thread.ts';

export interface Runner {
  readonly width: number;
  read(job: ReadJob, take: (batch: EventBatch) => Promise<void>): Promise<ReadResult>;
  close(): Promise<void>;
}

export interface ReadWork {
  readonly files: number;
  readonly bytes: number;
  /** Nobody waits for it: other work of this machine comes first. */
  readonly isBackground: boolean;
}

/** Below this, starting a worker costs more than it saves. */
const bytesForWorkers = 16 * 1024 * 1024;
/** Each has its own heap, and this thread has work too: a third worker is not faster. */
const workersMax = 2;
/** Additional reads of files that are read and wait for their turn. */
const readsAheadMax = 6;

export function createRunner(settings: ReaderSettings, work: ReadWork): Runner {
  if (work.bytes < bytesForWorkers) return createInlineRunner(settings);
  return createWorkerRunner(settings, workersFor(work), work.isBackground);
}

function workersFor({ files, isBackground }: ReadWork): number {
  return isBackground ? 1 : Math.max(1, Math.min(workersMax, files, availableParallelism()));
}

export function createInlineRunner(settings: ReaderSettings): Runner {
  let reader: Parse | null = null;
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
        if (isClosed) throw stopped();
      }
    },
    async close() {
      isClosed = true;
    },
  };
}

/** `workerFile`: for tests; a worker that knows other importers. */
export function createWorkerRunner(
  settings: ReaderSettings,
  workers: number,
  isBackground = false,
  workerFile?: URL,
): Runner {
  const start = () => startReaderThread({ settings, isBackground }, workerFile);
  const threads = new Set(Array.from({ length: workers }, start));
  const idle: ReaderThread[] = [...threads];
  const waiting: ((thread: ReaderThread) => void)[] = [];
  let lastTurn: Promise<void> = Promise.resolve();
  let isClosed = false;

  async function idleThread(): Promise<ReaderThread> {
    const thread = idle.pop();
    return thread === undefined ? new Promise((resolve) => waiting.push(resolve)) : living(thread);
  }

  function giveBack(thread: ReaderThread): void {
    const first = waiting.shift();
    if (first === undefined) idle.push(thread);
    else first(living(thread));
  }

  /** Replaces a thread that died on a file, so that the other files are read. */
  function living(thread: ReaderThread): ReaderThread {
    if (thread.isAlive() || isClosed) return thread;
    const next = start();
    threads.delete(thread);
    threads.add(next);
    return next;
  }

  return {
    width: workers + readsAheadMax,
    async read(job, take) {
      const turn = lastTurn;
      const { promise, resolve: endTurn } = Promise.withResolvers<void>();
      lastTurn = promise;
      try {
        const thread = await idleThread();
        if (isClosed) {
          giveBack(thread);
          throw stopped();
        }
        const reading = thread.read(job, (batch) => turn.then(() => take(batch)));
        reading.isRead.then(() => giveBack(thread));
        const result = await reading.result;
        // A file without batches has its turn too, so that progress is saved in order.
        await turn;
        return result;
      } finally {
        endTurn();
      }
    },
    async close() {
      isClosed = true;
      await Promise.all([...threads].map((thread) => thread.end()));
    },
  };
}

/** The error of a read that was stopped. */
export function stopped(): Error {
  return new Error('The import was stopped.');
}
