import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { toRanges } from '../../collector/log/ranges.ts';
import { laneDatabases } from '../services/mongodb/databases.ts';
import { expectSound } from '../suites/log/kills.ts';
import { openLaneLog } from './support/lane-log.ts';

const databases = laneDatabases();
const program = fileURLToPath(new URL('./support/rival.ts', import.meta.url));
const running = new Set<ChildProcess>();

afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
});

interface Rival {
  readonly child: ChildProcess;
  /** The printed lines. */
  readonly lines: string[];
}

function startRival(uri: string, start: number): Rival {
  const child = spawn(process.execPath, [program, uri, String(start)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.add(child);
  const lines: string[] = [];
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts);
  });
  return { child, lines };
}

async function isWriting({ lines }: Rival, atLeast = 3): Promise<void> {
  const target = lines.length + atLeast;
  await expect.poll(() => lines.length, { interval: 10 }).toBeGreaterThanOrEqual(target);
}

function acked({ lines }: Rival): number[] {
  return lines.filter((line) => /^\d+$/.test(line)).map(Number);
}

async function end(rivals: readonly Rival[]): Promise<void> {
  for (const { child } of rivals) child.kill('SIGKILL');
  await Promise.all(
    rivals.map(
      ({ child }) =>
        child.exitCode === null &&
        child.signalCode === null &&
        new Promise((done) => child.once('exit', done)),
    ),
  );
}

async function expectSoundLog(uri: string, rivals: readonly Rival[]): Promise<void> {
  const log = await openLaneLog(uri);
  const stored = await log.read(0, 10_000_000);
  expectSound(stored, new Set(rivals.flatMap(acked)), false);
  const sequences = stored.map(({ event }) => Number(event.sequence));
  expect(await log.receipts()).toEqual([{ source: '/producers/one', ranges: toRanges(sequences) }]);
  await log.close();
}

describe('two who want to write one log', () => {
  it('the second takes over by itself when the first is killed', async () => {
    const uri = databases.uri();
    const rivals: Rival[] = [];
    for (let round = 0; round < 4; round += 1) {
      const rival = startRival(uri, 1 + round * 1_000_000);
      const before = rivals.at(-1);
      await sleep(700 + Math.random() * 100);
      if (before !== undefined) {
        expect(rival.lines).toEqual([]);
        before.child.kill('SIGKILL');
      }
      await isWriting(rival);
      rivals.push(rival);
    }
    await end(rivals);
    await expectSoundLog(uri, rivals);
  });

  it('a suspended collector that continues notices before it writes anything wrong', async () => {
    const uri = databases.uri();
    const [one, two] = [startRival(uri, 1), startRival(uri, 1_000_001)];
    await expect.poll(() => [one, two].some(({ lines }) => lines.length > 3)).toBe(true);
    let [writing, waiting] = one.lines.length > 0 ? [one, two] : [two, one];
    for (let round = 0; round < 3; round += 1) {
      await sleep(Math.random() * 200);
      writing.child.kill('SIGSTOP');
      const heldBefore = waiting.lines.filter((line) => line === 'held').length;
      await isWriting(waiting);
      expect(waiting.lines.filter((line) => line === 'held').length).toBe(heldBefore + 1);
      const said = writing.lines.length;
      writing.child.kill('SIGCONT');
      await expect.poll(() => writing.lines.slice(said), { interval: 10 }).toContain('lost');
      // A pending append may have been executed, and is then acknowledged; no other is started.
      expect(writing.lines.slice(said).indexOf('lost')).toBeLessThanOrEqual(1);
      await isWriting(waiting);
      [writing, waiting] = [waiting, writing];
    }
    await end([one, two]);
    await expectSoundLog(uri, [one, two]);
  });

  it('nothing is there twice, or missing, even when both believe that they may', async () => {
    const uri = databases.uri();
    const logs = [await openLaneLog(uri), await openLaneLog(uri)];
    const { exampleEvents } = await import('../collector/support/events.ts');
    let refusals = 0;
    let appended = 0;
    await Promise.all(
      logs.map(async (log, index) => {
        for (let first = 1; first <= 400; first += 20) {
          // Both get the same events, and some only one of them.
          const events = [
            ...exampleEvents(first, 20),
            ...exampleEvents(10_000 + index * 1_000 + first, 5),
          ];
          for (let isTaken = false; !isTaken; ) {
            isTaken = await log.append({ receivedAtMs: 1, events, deadLetters: [] }).then(
              (result) => {
                appended += result.appended;
                return true;
              },
              () => false,
            );
            if (!isTaken) refusals += 1;
          }
        }
      }),
    );
    // Either may remember the newest events as its own last ones: somebody else reads.
    const reader = await openLaneLog(uri);
    const stored = await reader.read(0, 1_000_000);
    expect(stored.map(({ position }) => position)).toEqual(stored.map((_, index) => index + 1));
    expect(new Set(stored.map(({ event }) => event.id)).size).toBe(stored.length);
    expect(stored).toHaveLength(400 + 2 * 100);
    expect(refusals).toBe(0);
    expect(appended).toBe(600);
    for (const log of [...logs, reader]) await log.close();
  });
});
