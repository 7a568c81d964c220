/** Gateways, Kafka, and workers that share the cells of a ledger in MongoDB. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LedgerEvent } from '@pi-ledger/contract';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFailed } from 'vitest';
import { cellPosition } from '../../collector/cells/log/cell-positions.ts';
import { demoMonth } from '../../collector/cli/demo/month.ts';
import type { KafkaSettings } from '../../collector/ingest/kafka/kafka.ts';
import { partitionOf } from '../../collector/ingest/kafka/partition-of.ts';
import { temporaryDirectory } from '../collector/support/directory.ts';
import { exampleEvent, exampleEvents } from '../collector/support/events.ts';
import { dice } from '../hosts/support/machine/dice.ts';
import {
  type CollectorProcess,
  deliver,
  endCollector,
  health,
  recordsIn,
  startCollectorProcess,
} from '../mongodb/support/collectors.ts';
import { type LocalBroker, startLocalBroker } from '../services/kafka/local-broker.ts';
import { laneDatabases } from '../services/mongodb/databases.ts';
import { eventually } from '../support/eventually.ts';
import { createTopics, settingsFor } from './support.ts';

const directory = temporaryDirectory();
const databases = laneDatabases();
const running: CollectorProcess[] = [];
let broker: LocalBroker;

beforeAll(async () => {
  broker = await startLocalBroker(process.env);
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((each) => endCollector(each, 'SIGTERM')));
});
afterAll(() => broker.stop());

const cells = 4;

interface Organisation {
  readonly settings: KafkaSettings;
  start(role: 'gateway' | 'worker'): Promise<CollectorProcess>;
}

function organisation(): Organisation {
  const settings = settingsFor([broker.address]);
  const store = databases.uri();
  return {
    settings,
    async start(role) {
      const started = await startCollectorProcess(store, directory, {
        PI_LEDGER_ROLE: role,
        PI_LEDGER_KAFKA: `kafka://${settings.brokers.join(',')}/${settings.topicPrefix}`,
        PI_LEDGER_CELLS: String(cells),
      });
      running.push(started);
      onTestFailed(() => console.error(started.errors().split('\n').slice(-40).join('\n')));
      return started;
    },
  };
}

async function get<Answer>({ url }: CollectorProcess, path: string): Promise<Answer> {
  return (await fetch(`${url}${path}`)).json() as Promise<Answer>;
}

async function post({ url, home }: CollectorProcess, path: string, body: object) {
  const { token } = JSON.parse(readFileSync(join(home, 'collector.json'), 'utf8'));
  const answer = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: await answer.json() };
}

interface Usage {
  readonly rows: readonly { readonly session: string; readonly records: number }[];
}

interface Page {
  readonly rows: readonly { readonly position: number; readonly event: LedgerEvent }[];
  readonly next: number | null;
}

async function idsIn(worker: CollectorProcess): Promise<string[]> {
  const ids: string[] = [];
  for (let after = 0; ; ) {
    const { rows, next } = await get<Page>(worker, `/v1/log?after=${after}`);
    ids.push(...rows.map(({ event }) => event.id));
    if (next === null) return ids.toSorted();
    after = next;
  }
}

function twoDays() {
  const until = new Date('2026-11-18T00:00:00Z');
  return [...demoMonth({ until, days: 2, sessionsPerDay: 10, seed: 1 })];
}

async function deliverAll({ url }: CollectorProcess, events: readonly LedgerEvent[]) {
  for (let from = 0; from < events.length; from += 500)
    await deliver(() => [url], events.slice(from, from + 500));
}

/** In milliseconds; the first 48 bits of an event's id. */
function timeOf(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

/** Of many sessions, so that each cell has some. */
function eventsOf(round: number) {
  return Array.from({ length: 20 }, (_, session) =>
    exampleEvents(round * 1_000 + session * 10, 3, {
      source: `/producers/${session}`,
      subject: `session-${session}`,
    }),
  ).flat();
}

describe('workers that share four cells', () => {
  it('answer alike for all cells, whichever they lead', async () => {
    const { start } = organisation();
    const gateway = await start('gateway');
    const [one, other] = [await start('worker'), await start('worker')];
    const events = twoDays();
    await deliverAll(gateway, events);
    for (const worker of [one, other]) {
      await expect.poll(() => health(worker.url)).toMatchObject({ ready: true, role: 'leader' });
      await expect
        .poll(() => idsIn(worker), { interval: 500 })
        .toEqual(events.map(({ id }) => id).toSorted());
    }
    const paths = ['/v1/usage?by=project', '/v1/sessions?limit=100', '/v1/producers', '/v1/totals'];
    for (const path of paths) {
      await eventually(async () => expect(await get(one, path)).toEqual(await get(other, path)), {
        intervalMs: 500,
      });
      expect(JSON.stringify(await get(one, path))).toContain('"');
    }
  });

  it.each([1, 2])('count an entry that sessions of several cells claim once: %i', async (count) => {
    const { start } = organisation();
    const gateway = await start('gateway');
    const workers: CollectorProcess[] = [];
    while (workers.length < count) workers.push(await start('worker'));
    const claimedBy = (subject: string, ownership?: 'assumed' | 'named') => {
      const event = exampleEvent({ number: 1, subject });
      return ownership === undefined ? event : { ...event, ownership };
    };
    expect(new Set(['a', 'b', 'c'].map((id) => partitionOf(claimedBy(id), cells))).size).toBe(3);
    const claims = [claimedBy('b', 'assumed'), claimedBy('c', 'named'), claimedBy('a')];
    for (const claim of [...claims, ...claims]) await deliver(() => [gateway.url], [claim]);
    const bySession = async (worker: CollectorProcess) =>
      (await get<Usage>(worker, '/v1/usage?by=session')).rows.map(({ session, records }) => [
        session,
        records,
      ]);
    for (const worker of workers)
      await expect.poll(() => bySession(worker), { interval: 200 }).toEqual([['a', 1]]);
  });

  it('rebuild views and seal history of all cells, whichever worker is asked', async () => {
    const { start } = organisation();
    const gateway = await start('gateway');
    const workers = [await start('worker'), await start('worker')];
    const events = twoDays();
    await deliverAll(gateway, events);
    const usageOf = (worker: CollectorProcess) => get<Usage>(worker, '/v1/usage?by=session');
    for (const worker of workers) {
      await expect.poll(() => health(worker.url)).toMatchObject({ ready: true, role: 'leader' });
      await expect
        .poll(async () => (await idsIn(worker)).length, { interval: 500 })
        .toBe(events.length);
    }
    const [one, other] = workers as [CollectorProcess, CollectorProcess];
    for (const worker of workers)
      expect(await post(worker, '/v1/rebuild/sessions', {})).toEqual({
        status: 200,
        body: { events: events.length, durationMs: expect.any(Number) },
      });
    const usage = await usageOf(one);
    const newest =
      events
        .map(({ time }) => time)
        .toSorted()
        .at(-1) ?? '';
    const floor = newest.slice(0, 10);
    const older = events.filter(({ id }) => timeOf(id) < Date.parse(floor)).length;
    expect(older).toBeGreaterThan(100);
    expect(await post(one, '/v1/seal', { before: floor, dryRun: true })).toMatchObject({
      status: 200,
      body: { events: older },
    });
    expect(await post(one, '/v1/seal', { before: floor })).toMatchObject({
      status: 200,
      body: { floor: `${floor}T00:00:00.000Z`, events: older },
    });
    expect(await post(other, '/v1/rebuild/usage', {})).toMatchObject({ status: 404 });
    expect(await post(other, '/v1/rebuild/sessions', {})).toMatchObject({ status: 200 });
    for (const worker of workers) expect(await usageOf(worker)).toEqual(usage);
    expect((await idsIn(other)).length).toBeLessThan(events.length);
  });

  it('keep all of a session in its cell, also where there are more partitions', async () => {
    const { settings, start } = organisation();
    await createTopics(settings, cells + 2);
    const [gateway, worker] = [await start('gateway'), await start('worker')];
    const events = eventsOf(0);
    expect(events.some((event) => partitionOf(event, cells + 2) >= cells)).toBe(true);
    await deliver(() => [gateway.url], events);
    await expect
      .poll(() => idsIn(worker), { interval: 500 })
      .toEqual(events.map(({ id }) => id).toSorted());
    const { rows } = await get<Page>(worker, '/v1/log?after=0');
    for (const { position, event } of rows)
      expect(cellPosition(position).cell).toBe(partitionOf(event, cells));
    expect(worker.errors()).toContain('has 6 partitions, and the ledger 4 cells');
  });

  it('have each acknowledged event once, whoever is killed or joins', async () => {
    const { start } = organisation();
    const gateway = await start('gateway');
    let workers = [await start('worker'), await start('worker')];
    const acked = new Set<string>();
    const { below } = dice('whose cells go to others');
    for (let round = 0; round < 6; round += 1) {
      const events = eventsOf(round);
      await deliver(() => [gateway.url], events);
      for (const { id } of events) acked.add(id);
      const [victim] = workers.splice(below(workers.length), 1);
      if (victim !== undefined) await endCollector(victim, below(2) === 0 ? 'SIGKILL' : 'SIGTERM');
      workers = [...workers, await start('worker')];
    }
    const [worker] = workers;
    if (worker === undefined) throw new Error('No worker is left.');
    await expect.poll(() => idsIn(worker), { interval: 500 }).toEqual([...acked].toSorted());
    await expect.poll(() => recordsIn(worker.url)).toBe(acked.size);
  });
});
