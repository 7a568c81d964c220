import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import {
  acknowledge,
  answer,
  freePort,
  hang,
  startCollector,
} from '../../core/spool/support/collector.ts';
import { idsOf } from '../../core/spool/support/drafts.ts';
import { filesIn, temporaryDirectory } from '../../core/spool/support/places.ts';
import { collectorHome } from '../../core/spool/support/proving.ts';
import { runtimes } from '../../core/spool/support/runtimes.ts';
import { waitMsMax } from '../../support/bounds.ts';
import { eventually } from '../../support/eventually.ts';
import { setUp } from './support.ts';

const producer = fileURLToPath(new URL('./producer.ts', import.meta.url));

/** Far below what it must not wait for, and enough for a busy machine. */
const promptMs = 60_000;
const hangMs = 3_600_000;
const waiting = { intervalMs: 5 };

/** Runs the producer; returns how long it lived after its host was done. */
async function run(command: string, url: string, ending: string, tell?: () => boolean) {
  const spoolDirectory = join(temporaryDirectory(), 'spool');
  const child = spawn(command, [producer, spoolDirectory, url, ending, String(hangMs)], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, PI_LEDGER_HOME: collectorHome },
  });
  if (tell) eventually(() => expect(tell()).toBe(true), waiting).finally(() => child.stdin.end());
  let doneAtMs = Number.NaN;
  let said = '';
  let complained = '';
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString();
    if (said.includes('done\n')) doneAtMs = performance.now();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    complained += chunk.toString();
  });
  const late = setTimeout(() => child.kill('SIGKILL'), waitMsMax);
  const [exitCode] = await once(child, 'close');
  clearTimeout(late);
  return {
    exitCode,
    heldMs: performance.now() - doneAtMs,
    said,
    complained,
    spoolDirectory,
    left: () => filesIn(spoolDirectory),
  };
}

for (const { name, command } of runtimes) {
  describe.skipIf(command === null)(
    `the end of a host on ${name}${command === null ? ' (not to be had here)' : ''}`,
    () => {
      const on = command ?? '';

      it('does not wait for a request that hangs', async () => {
        const collector = await startCollector(hang);
        const { exitCode, heldMs, complained, left } = await run(
          on,
          collector.url,
          'when told',
          () => collector.batches.length > 0,
        );
        expect(collector.batches).toHaveLength(1);
        expect([exitCode, complained]).toEqual([0, '']);
        expect(heldMs).toBeLessThan(promptMs);
        expect(left()).toHaveLength(1);
      });

      it('leaves undelivered events to the next process, which delivers them', async () => {
        const collector = await startCollector(answer(503));
        const { spoolDirectory } = await run(on, collector.url, 'when waiting');
        collector.respond(acknowledge);
        setUp(collector.url, { spoolDirectory }).ship();
        await eventually(() => expect(filesIn(spoolDirectory)).toEqual([]), waiting);
        expect(collector.batches.at(-1)?.events?.map(({ id }) => id)).toEqual(idsOf(1, 3));
      });

      it('does not wait for an answer that takes an hour', async () => {
        const collector = await startCollector(
          (batch, response) => void setTimeout(answer(503), hangMs, batch, response).unref(),
        );
        const { heldMs } = await run(
          on,
          collector.url,
          'when told',
          () => collector.batches.length > 0,
        );
        expect(collector.batches).toHaveLength(1);
        expect(heldMs).toBeLessThan(promptMs);
      });

      it('does not wait for a retry after a refused connection, and stays silent', async () => {
        const { exitCode, heldMs, said, complained, left } = await run(
          on,
          `http://127.0.0.1:${await freePort()}`,
          'when waiting',
        );
        expect([exitCode, said, complained]).toEqual([0, 'done\n', '']);
        expect(heldMs).toBeLessThan(promptMs);
        expect(left()).toHaveLength(1);
      });

      it('does not wait for the flush interval', async () => {
        const collector = await startCollector();
        const { exitCode, heldMs } = await run(on, collector.url, 'at once');
        expect(exitCode).toBe(0);
        expect(heldMs).toBeLessThan(promptMs);
      });

      it('delivers everything almost immediately if the collector answers', async () => {
        const collector = await startCollector();
        const { exitCode, heldMs, left } = await run(on, collector.url, `flush${hangMs}`);
        expect(exitCode).toBe(0);
        expect(collector.ids()).toEqual(idsOf(1, 3));
        expect(left()).toEqual([]);
        expect(heldMs).toBeLessThan(promptMs);
      });

      it('waits for a flush up to its deadline, and no longer', async () => {
        const collector = await startCollector(hang);
        const { exitCode, heldMs, left } = await run(on, collector.url, 'flush600');
        expect(exitCode).toBe(0);
        expect(heldMs).toBeGreaterThan(500);
        expect(heldMs).toBeLessThan(600 + promptMs);
        expect(left()).toHaveLength(1);
      });

      it('is almost immediate without a collector', async () => {
        const { exitCode, heldMs, left } = await run(
          on,
          `http://127.0.0.1:${await freePort()}`,
          `flush${hangMs}`,
        );
        expect(exitCode).toBe(0);
        expect(heldMs).toBeLessThan(promptMs);
        expect(left()).toHaveLength(1);
      });
    },
  );
}
