/**
 * Loaded into a collector before it starts (`--expose-gc --import`): at SIGUSR2 it collects its
 * garbage and writes down what is left, in its home.
 */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';

const path = join(process.env.PI_LEDGER_HOME ?? '', 'memory.ndjson');

process.on('SIGUSR2', () => {
  const { rss } = process.memoryUsage();
  globalThis.gc?.();
  appendFileSync(path, `${JSON.stringify({ ...process.memoryUsage(), rss })}\n`);
});
