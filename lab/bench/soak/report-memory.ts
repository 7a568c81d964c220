/**
 * Loaded into a collector before it starts (`--expose-gc --import`): on SIGUSR2 it writes to a file
 * in its home what it has resident and what its heap has reserved of that, then, after a
 * collection, what is in use.
 */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';

const path = join(process.env.PI_LEDGER_HOME ?? '', 'memory.ndjson');

process.on('SIGUSR2', () => {
  const { rss, heapTotal } = process.memoryUsage();
  globalThis.gc?.();
  appendFileSync(path, `${JSON.stringify({ ...process.memoryUsage(), rss, heapTotal })}\n`);
});
