/** Kills a copy at random moments, each time a little later, until one gets through. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';

const child = fileURLToPath(new URL('./copy-child.ts', import.meta.url));

/** The number of killed copies, and the phases in which they were. */
export async function copyUnderKills(
  from: string,
  to: string,
  kills: number,
  stepsMax: number,
): Promise<ReadonlySet<string>> {
  const phases = new Set<string>();
  for (let round = 0; round < kills; round += 1) {
    const said = await run(from, to, 1 + Math.floor(((round + Math.random()) * stepsMax) / kills));
    phases.add(said.at(-1)?.split(' ')[0] ?? 'nothing');
  }
  expect((await run(from, to, null)).at(-1)).toBe('copied');
  return phases;
}

/** The printed lines; killed a moment after a number of lines, wherever it is then. */
async function run(from: string, to: string, killAfterLines: number | null): Promise<string[]> {
  const copying = spawn(process.execPath, [child, from, to], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  const moreMs = Math.random() * 8;
  copying.stdout.setEncoding('utf8').on('data', async (text: string) => {
    said += text;
    if (killAfterLines === null || said.split('\n').length - 1 < killAfterLines) return;
    await sleep(moreMs);
    copying.kill('SIGKILL');
  });
  await once(copying, 'close');
  return said.trim().split('\n');
}
