import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { openSqliteLog } from '../../../collector/log/sqlite.ts';
import { temporaryDirectory } from '../support/directory.ts';

const directory = temporaryDirectory();
const child = fileURLToPath(new URL('./append-until-killed.ts', import.meta.url));

it('has every acknowledged event once after kill -9 at random moments', { timeout: 60_000 }, async () => {
  const path = join(directory, 'killed.db');
  const acked = new Set<string>();
  for (let round = 0; round < 8; round += 1) {
    for (const id of await appendUntilKilled(path, 1 + round * 1_000_000)) acked.add(id);
    const log = openSqliteLog({ path });
    const stored = await log.read(0, 0, 10_000_000);
    expect(stored.map(({ position }) => position)).toEqual(stored.map((_, index) => index + 1));
    const ids = new Set(stored.map(({ event }) => event.id));
    expect(ids.size).toBe(stored.length);
    expect([...acked].filter((id) => !ids.has(id))).toEqual([]);
    await log.close();
  }
  expect(acked.size).toBeGreaterThan(0);
});

async function appendUntilKilled(path: string, first: number): Promise<string[]> {
  const running = spawn(process.execPath, [child, path, String(first)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const chunks: string[] = [];
  running.stdout.setEncoding('utf8').on('data', (chunk: string) => chunks.push(chunk));
  await new Promise((resolve) => running.stdout.once('data', resolve));
  await sleep(Math.random() * 120);
  running.kill('SIGKILL');
  await new Promise((resolve) => running.once('close', resolve));
  const lines = chunks.join('').split('\n').slice(0, -1);
  return lines.flatMap((line) => line.split(' '));
}
