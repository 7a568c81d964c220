/** How long a collector with these options of Node keeps its thread from others at a stretch. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Stretch {
  readonly ms: number;
  /** Of the thread's own processor time. */
  readonly cpuMs: number;
}

export const probe = {
  nodeOptions: ['--import', new URL('./probe.ts', import.meta.url).href],

  /** The longest one while `work` is done. */
  async during(pid: number, home: string, work: () => Promise<void>): Promise<Stretch> {
    await signal(pid, home);
    await work();
    return signal(pid, home);
  },
};

async function signal(pid: number, home: string): Promise<Stretch> {
  const before = (await linesOf(home)).length;
  process.kill(pid, 'SIGUSR2');
  for (;;) {
    const lines = await linesOf(home);
    if (lines.length > before) return JSON.parse(lines.at(-1) ?? '') as Stretch;
    await sleep(2);
  }
}

async function linesOf(home: string): Promise<readonly string[]> {
  const text = await readFile(join(home, 'stretches.ndjson'), 'utf8').catch(() => '');
  return text.split('\n').slice(0, -1);
}
