/**
 * Loaded into a collector before it starts (`--expose-gc --import`): on SIGUSR2 it collects garbage
 * and writes the remaining memory to a file in its home.
 */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';

const path = join(process.env.PI_LEDGER_HOME ?? '', 'memory.ndjson');

process.on('SIGUSR2', () => {
  const { rss } = process.memoryUsage();
  globalThis.gc?.();
  appendFileSync(path, `${JSON.stringify({ ...process.memoryUsage(), rss })}\n`);
});
