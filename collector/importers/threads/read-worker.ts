/** A worker thread that reads session files, one at a time, and sends their events as text. */
import { getPriority, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { createReader } from '../reader-setup.ts';
import type { ReadJob } from './read-job.ts';
import type { FromWorker, WorkerStart } from './reader-thread.ts';

/** The work of agents and people on this machine comes first. */
const backgroundNiceness = 10;
const nicenessMax = 19;

const { settings, taken, batchesAheadMax, isBackground } = workerData as WorkerStart;
// On Linux, a thread has its own priority; elsewhere this would set the whole collector's.
if (isBackground && process.platform === 'linux')
  setPriority(Math.min(nicenessMax, getPriority() + backgroundNiceness));
const count = new Int32Array(taken);
// Jobs that arrive earlier wait in the port until there is a listener.
const reader = await createReader(settings);
let sent = 0;

parentPort?.on('message', (job: ReadJob) => {
  const reading = reader(job);
  for (;;) {
    const step = reading.next();
    if (step.done) {
      say({ kind: 'done', result: step.value });
      return;
    }
    sent += 1;
    say({ kind: 'batch', batch: step.value });
    waitUntilTaken(sent - batchesAheadMax);
  }
});

function say(message: FromWorker): void {
  parentPort?.postMessage(message);
}

function waitUntilTaken(batches: number): void {
  for (let seen = Atomics.load(count, 0); seen < batches; seen = Atomics.load(count, 0))
    Atomics.wait(count, 0, seen);
}
