/**
 * Loaded into a collector before it starts (`--import`). The first SIGUSR2 begins a measurement,
 * the next ends it: how long the thread was kept from others at a stretch, by the clock and by its
 * own processor time, which a busy machine does not make longer. Each signal adds a line to a file
 * in the collector's home.
 */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';

const path = join(process.env.PI_LEDGER_HOME ?? '', 'stretches.ndjson');
let next: NodeJS.Immediate | null = null;
let last = read();
let longest = { ms: 0, cpuMs: 0 };

process.on('SIGUSR2', () => {
  if (next === null) {
    longest = { ms: 0, cpuMs: 0 };
    last = read();
    next = setImmediate(look);
  } else {
    clearImmediate(next);
    next = null;
  }
  appendFileSync(path, `${JSON.stringify(longest)}\n`);
});

function look(): void {
  const now = read();
  longest = {
    ms: Math.max(longest.ms, now.ms - last.ms),
    cpuMs: Math.max(longest.cpuMs, now.cpuMs - last.cpuMs),
  };
  last = now;
  next = setImmediate(look);
}

function read() {
  const { user, system } = process.threadCpuUsage();
  return { ms: performance.now(), cpuMs: (user + system) / 1_000 };
}
