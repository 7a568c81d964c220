/** Collector processes on a store in MongoDB, each with its own home. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LedgerEvent } from '@pi-ledger/contract';
import { expect } from 'vitest';
import { exampleEvents } from '../../collector/support/events.ts';
import { batchType } from '../../collector/support/ledger.ts';
import { openLaneLog } from './lane-log.ts';

const bin = join(import.meta.dirname, '..', '..', '..', 'collector', 'bin', 'pi-ledger.mjs');

export interface CollectorProcess {
  readonly child: ChildProcess;
  readonly url: string;
  readonly home: string;
  /** Its standard error. */
  errors(): string;
}

export async function startCollectorProcess(
  store: string,
  directory: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<CollectorProcess> {
  const { child, home } = launch(store, directory, settings);
  let said = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  await expect.poll(() => said, { interval: 20 }).toMatch(/http:\S+/);
  return { child, url: /http:\S+/.exec(said)?.[0] ?? '', home, errors: () => errors };
}

/** Sends SIGKILL at some point of its start, or soon after. */
export async function killOnItsWayUp(store: string, directory: string): Promise<void> {
  const { child } = launch(store, directory);
  const ended = once(child, 'exit');
  await sleep(Math.random() * 1_500);
  child.kill('SIGKILL');
  await ended;
}

function launch(store: string, directory: string, settings: Readonly<Record<string, string>> = {}) {
  // Not there yet, as on a new machine.
  const home = join(mkdtempSync(join(directory, 'home-')), '.pi-ledger');
  const env = {
    ...process.env,
    PI_LEDGER_HOME: home,
    PI_LEDGER_PORT: '0',
    PI_LEDGER_IMPORT: '0',
    PI_LEDGER_STORE: store,
    ...settings,
  };
  return {
    child: spawn(process.execPath, [bin, 'start'], { env, stdio: ['ignore', 'pipe', 'pipe'] }),
    home,
  };
}

export async function endCollector(
  { child }: CollectorProcess,
  signal: NodeJS.Signals,
): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const ended = once(child, 'exit');
  child.kill(signal);
  child.kill('SIGCONT');
  await ended;
  return child.exitCode;
}

export async function health(
  url: string,
): Promise<{ readonly status: number; readonly role: string; readonly ready: boolean }> {
  const answer = await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(60_000) });
  const body = (await answer.json()) as { role: string; ready: boolean };
  return { status: answer.status, role: body.role, ready: body.ready };
}

export function postEvents(
  url: string,
  events: readonly LedgerEvent[],
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return fetch(`${url}/v1/events`, {
    method: 'POST',
    body: JSON.stringify(events),
    headers: { 'content-type': batchType, ...headers },
    signal: AbortSignal.timeout(60_000),
  });
}

/**
 * Sends to a list of addresses in turn until one acknowledges, like a shipper. Returns the number
 * of refusals.
 */
export async function deliver(
  urls: () => readonly string[],
  events: readonly LedgerEvent[],
): Promise<number> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      const answer = await postEvents(urls()[attempt % urls().length] ?? '', events);
      await answer.text();
      if (answer.status === 200) return attempt;
    } catch {
      // not there, or gone meanwhile: try the next one
    }
    await sleep(20);
  }
}

export async function becomes(
  collector: CollectorProcess,
  role: 'leader' | 'standby',
): Promise<void> {
  const now = (): Promise<unknown> => health(collector.url).catch((error: unknown) => error);
  await expect.poll(now, { interval: 50 }).toMatchObject({ role });
}

/** Five senders, each sending one batch after the other until it is acknowledged. */
export function sendDuring(urls: () => readonly string[]): {
  readonly acked: ReadonlySet<string>;
  end(): Promise<ReadonlySet<string>>;
} {
  const acked = new Set<string>();
  let isOver = false;
  const senders = [1, 2, 3, 4, 5].map(async (sender) => {
    for (let first = 1; !isOver; first += 10) {
      // Each batch repeats the end of the previous one, and its events are in no order.
      const events = exampleEvents(sender * 1_000_000 + first, 15, {
        source: `/producers/${sender}`,
        subject: `session-${sender}`,
      });
      await deliver(
        urls,
        events.toSorted(() => Math.random() - 0.5),
      );
      for (const { id } of events) acked.add(id);
    }
  });
  return {
    acked,
    async end() {
      isOver = true;
      await Promise.all(senders);
      return acked;
    },
  };
}

/** Checks that the log has exactly these events, each once, without gaps. */
export async function expectEachOnce(store: string, ids: ReadonlySet<string>): Promise<void> {
  const log = await openLaneLog(store);
  const stored = await log.read(0, 1_000_000);
  await log.close();
  expect(stored.map(({ position }) => position)).toEqual(stored.map((_, index) => index + 1));
  expect(stored.map(({ event }) => event.id).toSorted()).toEqual([...ids].toSorted());
}

/** The number of records of spend in the view `usage`; each event sent here is one. */
export async function recordsIn(url: string): Promise<number> {
  const answer = await fetch(`${url}/v1/usage`);
  return ((await answer.json()) as { total: { records: number } }).total.records;
}
