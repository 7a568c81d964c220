/** What a worker thread does: it reads sources, one at a time, and sends their events as text. */
import { getPriority, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import type { Importer } from '../importer.ts';
import { createReader } from '../reader-setup.ts';
import type { ReadJob } from './read-job.ts';
import type { FromWorker, WorkerStart } from './reader-thread.ts';

/** The work of agents and people on this machine comes first. */
const backgroundNiceness = 10;
const nicenessMax = 19;

/** Resolves when it takes jobs, which wait in the port until then. */
export async function serveReads(agents: readonly Importer[]): Promise<void> {
  const { settings, taken, batchesAheadMax, isBackground } = workerData as WorkerStart;
  // On Linux, a thread has its own priority; elsewhere this would set the whole collector's.
  if (isBackground && process.platform === 'linux')
    setPriority(Math.min(nicenessMax, getPriority() + backgroundNiceness));
  const count = new Int32Array(taken);
  const reader = await createReader(settings, agents);
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
      waitUntilTaken(count, sent - batchesAheadMax);
    }
  });
}

function say(message: FromWorker): void {
  parentPort?.postMessage(message);
}

/** `count`: one number, of the batches taken so far. */
function waitUntilTaken(count: Int32Array, batches: number): void {
  for (let seen = Atomics.load(count, 0); seen < batches; seen = Atomics.load(count, 0))
    Atomics.wait(count, 0, seen);
}
