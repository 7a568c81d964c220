import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { loadCollectorConfig } from '../../collector/config/config.ts';
import { openLedger } from '../../collector/main.ts';
import { temporaryDirectory } from './support/directory.ts';
import { exampleEvents } from './support/events.ts';
import { batchType } from './support/ledger.ts';

const directory = temporaryDirectory();
const bin = join(import.meta.dirname, '..', '..', 'collector', 'bin', 'pi-ledger.mjs');

interface Started {
  readonly process: ChildProcess;
  readonly url: string;
}

async function start(home: string, node = process.execPath): Promise<Started> {
  const env = { ...process.env, PI_LEDGER_HOME: home, PI_LEDGER_PORT: '0', PI_LEDGER_IMPORT: '0' };
  const child = spawn(node, [bin, 'start'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    said += chunk;
  });
  await expect.poll(() => said, { interval: 10 }).toMatch(/http:\S+/);
  return { process: child, url: /http:\S+/.exec(said)?.[0] ?? '' };
}

async function end(
  child: ChildProcess,
  signal: NodeJS.Signals,
): Promise<[code: number | null, signal: NodeJS.Signals | null]> {
  child.kill(signal);
  return (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
}

describe('the collector as a process', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('ends with exit code 0 on %s', async (signal) => {
    const home = join(directory, signal);
    const { process: child, url } = await start(home);
    const body = JSON.stringify(exampleEvents(1, 10));
    await fetch(`${url}/v1/events`, {
      method: 'POST',
      body,
      headers: { 'content-type': batchType },
    });
    expect(await end(child, signal)).toEqual([0, null]);
    expect(existsSync(join(home, 'collector.json'))).toBe(false);
  });

  it('ends in order when the signal comes more than once, as through npm', async () => {
    const { process: child } = await start(join(directory, 'twice'));
    child.kill('SIGINT');
    child.kill('SIGTERM');
    expect(await end(child, 'SIGINT')).toEqual([0, null]);
  });

  it('has every acknowledged event once, in log and views, after kill -9 under load', async () => {
    const home = join(directory, 'killed');
    const acked = new Set<string>();
    for (let round = 0; round < 4; round += 1) {
      const { process: child, url } = await start(home);
      const load = postUntilItFails(url, 1 + round * 100_000, acked);
      // The last round has acknowledged some before, however slow the machine is.
      if (round === 3) await expect.poll(() => acked.size).toBeGreaterThan(0);
      await sleep(50 + Math.random() * 300);
      await end(child, 'SIGKILL');
      await load;
    }
    expect(acked.size).toBeGreaterThan(0);
    const ledger = await openLedger(loadCollectorConfig({ PI_LEDGER_HOME: home }));
    expect(ledger.readOnly).toBe(false);
    const stored = (await ledger.log.read(0, 1_000_000)).map(({ event }) => event.id);
    const known = new Set(stored);
    expect(known.size).toBe(stored.length);
    expect([...acked].filter((id) => !known.has(id))).toEqual([]);
    expect((await ledger.app.inject('/v1/usage')).json().total.records).toBe(stored.length);
    await ledger.close();
  });
});

/** Two senders, each with one request under way, as two shippers would be. */
async function postUntilItFails(url: string, start: number, acked: Set<string>): Promise<void> {
  const send = async (from: number): Promise<void> => {
    for (let first = from; ; first += 40) {
      const events = exampleEvents(first, 20);
      const answer = await fetch(`${url}/v1/events`, {
        method: 'POST',
        body: JSON.stringify(events),
        headers: { 'content-type': batchType },
      });
      if (answer.status !== 200) throw new Error(`status ${answer.status}`);
      await answer.json();
      for (const { id } of events) acked.add(id);
    }
  };
  await Promise.allSettled([send(start), send(start + 20)]);
}

describe('the bin', () => {
  const oldNode = findOldNode();

  it.skipIf(oldNode === null)(
    'goes on with the Node that npm brought (needs an older one on PATH)',
    async () => {
      const { process: child, url } = await start(join(directory, 'old node'), oldNode ?? '');
      expect((await fetch(`${url}/health/live`)).status).toBe(200);
      expect(await end(child, 'SIGTERM')).toEqual([0, null]);
      await expect(fetch(url)).rejects.toThrow();
    },
  );

  it('keeps the exit code', () => {
    const node = oldNode ?? process.execPath;
    expect(() => execFileSync(node, [bin, 'nonsense'], { stdio: 'pipe' })).toThrow(
      expect.objectContaining({ status: 2 }),
    );
    expect(execFileSync(node, [bin, '--version'], { encoding: 'utf8' }).trim()).toBe(versionOf());
  });

  it('is quiet about what Node calls experimental', () => {
    const { PI_LEDGER_HOME: _, ...env } = process.env;
    const home = join(directory, 'quiet');
    const child = spawn(process.execPath, [bin, 'report'], {
      env: { ...env, PI_LEDGER_HOME: home },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      said += chunk;
    });
    return once(child, 'close').then(() => expect(said).toBe(''));
  });
});

function versionOf(): string {
  const manifest = readFileSync(
    join(import.meta.dirname, '..', '..', 'collector', 'package.json'),
    'utf8',
  );
  return (JSON.parse(manifest) as { version: string }).version;
}

/** A Node older than 22.19; null where there is none. */
function findOldNode(): string | null {
  const candidates = (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'node'));
  for (const candidate of candidates.filter((path) => existsSync(path))) {
    const [major = 0, minor = 0] = execFileSync(candidate, ['--version'], { encoding: 'utf8' })
      .slice(1)
      .split('.')
      .map(Number);
    if (major < 22 || (major === 22 && minor < 19)) return candidate;
  }
  return null;
}
