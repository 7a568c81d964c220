/** What a collector with these options of Node says of its memory when it is asked. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** `rss` and `heapTotal` are before the collection, the others are what it left. */
export type Memory = NodeJS.MemoryUsage;

const reporter = new URL('./report-memory.ts', import.meta.url).href;

export const memoryReports = {
  nodeOptions: ['--expose-gc', '--import', reporter],

  async next(pid: number, home: string): Promise<Memory> {
    const before = (await linesOf(home)).length;
    process.kill(pid, 'SIGUSR2');
    for (;;) {
      const lines = await linesOf(home);
      if (lines.length > before) return JSON.parse(lines.at(-1) ?? '') as Memory;
      await sleep(10);
    }
  },
};

async function linesOf(home: string): Promise<readonly string[]> {
  const text = await readFile(join(home, 'memory.ndjson'), 'utf8').catch(() => '');
  return text.split('\n').slice(0, -1);
}
