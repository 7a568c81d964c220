import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { type Ledger, ledgers } from './ledger.ts';

const { open } = ledgers();
const script = fileURLToPath(new URL('./subscriber-child.ts', import.meta.url));

/** The positions of each batch that was handed over, by the processes one after the other. */
function batchesOf(ledger: Ledger): number[][] {
  const lines = readFileSync(writtenBy(ledger), 'utf8').trimEnd().split('\n');
  return lines.map((line) => line.split(' ').map(Number));
}

const writtenBy = ({ path }: Ledger): string => `${path}.written`;

async function killAfter(
  ledger: Ledger,
  stop: readonly string[],
  until: (said: NodeJS.ReadableStream) => Promise<unknown>,
): Promise<void> {
  const child = spawn(process.execPath, [script, ledger.path, writtenBy(ledger), ...stop], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await until(child.stdout);
  child.kill('SIGKILL');
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
}

it('is handed a batch again after a kill -9 between its work and its checkpoint', async () => {
  const ledger = open();
  for (let kill = 0; kill < 2; kill++)
    await killAfter(ledger, ['stop'], async (said) => {
      for await (const chunk of said) if (String(chunk).includes('handled')) return;
    });
  const [first, again] = batchesOf(ledger);
  expect(first?.[0]).toBe(1);
  expect(again?.slice(0, first?.length)).toEqual(first);
  expect(await ledger.checkpoints.read('traces')).toMatchObject({ position: 0 });
});

it('is handed every event, whenever a kill -9 comes', async () => {
  const ledger = open();
  const kept = async () => (await ledger.checkpoints.read('traces'))?.position ?? 0;
  for (let kill = 0; kill < 8; kill++)
    await killAfter(ledger, [], async (said) => {
      await once(said, 'data');
      // The last one has kept a checkpoint before, however slow the machine is.
      if (kill === 7) await expect.poll(kept).toBeGreaterThan(0);
      await delay(Math.random() * 150);
    });
  const checkpoint = await kept();
  let reached = 0;
  for (const positions of batchesOf(ledger)) {
    for (const [index, position] of positions.entries())
      expect(position).toBe((positions[0] ?? 0) + index);
    expect(positions[0]).toBeLessThanOrEqual(reached + 1);
    reached = Math.max(reached, positions.at(-1) ?? 0);
  }
  expect(checkpoint).toBeGreaterThan(0);
  expect(reached).toBeGreaterThanOrEqual(checkpoint);
});
