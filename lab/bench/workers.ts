/**
 * One, two and four workers that share the four cells of a ledger: what an event costs them and the
 * database in processor time, while they take in what a gateway sends at a steady rate. On one
 * machine more workers are no faster; they must not cost more.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Health } from '@pi-ledger/contract/answers';
import { type LocalBroker, startLocalBroker } from '../../test/services/kafka/local-broker.ts';
import { uriOf } from '../../test/services/mongodb/databases.ts';
import { findServer } from '../../test/services/mongodb/find-server.ts';
import { sendBacklog, sendBatch } from './backlog.ts';
import type { Benchmark, Row } from './benchmark.ts';
import { type CollectorProcess, startCollector } from './collector-process.ts';
import { databasePrograms } from './growth/stores.ts';
import { liveBatches } from './live-work.ts';
import { playPaced } from './paced.ts';
import { cpuSecondsOfDescendants } from './proc.ts';
import { withTemporaryDirectory } from './temporary-directory.ts';

const cells = 4;
const eventsDefault = 20_000;
/** What one worker keeps up with: else its batches would be larger, and so cheaper, than theirs. */
const eventsPerSecond = 500;
const batchEvents = 100;
const sessionsOpen = 500;
const sendersMax = 16;
/** Until the machine code is made; not counted. */
const warmUpEvents = 10_000;
const counts = [1, 2, 4] as const;
/** Noise of the machine. */
const growthMax = 1.1;
const restSeconds = 10;
/** Seldom: a worker that is asked for its health reads how far the others are. */
const pollMs = 1_000;

export const workers: Benchmark = {
  name: 'workers',
  budget: `an event costs two or four workers <= ${growthMax} times what it costs one`,
  async run({ events }) {
    const found = await findServer(process.env, { isSynced: true });
    if (found.kind === 'none') throw new Error(found.reason);
    const broker = await startLocalBroker(process.env, { flags: [] });
    try {
      const measured: Measured[] = [];
      for (const count of counts) {
        const uri = uriOf(found.server.uri, `bench_workers_${count}`);
        measured.push(await measure({ broker, uri, count, events: events ?? eventsDefault }));
      }
      return measured.flatMap((each) => rowsOf(each, measured[0] ?? each));
    } finally {
      await broker.stop();
      await found.server.stop();
    }
  },
};

interface Measured {
  readonly count: number;
  readonly events: number;
  readonly seconds: number;
  /** Of the workers together. */
  readonly coresAtRest: number;
  readonly workersUs: number;
  readonly databaseUs: number;
}

function rowsOf(each: Measured, one: Measured): readonly Row[] {
  const { count, events, seconds, coresAtRest, workersUs, databaseUs } = each;
  const isOne = count === 1;
  const of = count === 1 ? 'one worker' : `${count} workers`;
  return [
    {
      what: `${of}, an event`,
      measured: workersUs,
      unit: 'us',
      ...(isOne ? {} : { budget: { max: one.workersUs * growthMax } }),
      ...(isOne ? {} : { baseline: { what: 'one worker', measured: one.workersUs } }),
      note:
        `of CPU; ${events.toLocaleString('en-US')} events in ${cells} cells, ` +
        `${seconds.toFixed(0)} s until all are folded; at rest ${coresAtRest.toFixed(3)} cores, ` +
        'which are not in it',
    },
    {
      what: `the database with ${of}, an event`,
      measured: databaseUs,
      unit: 'us',
      ...(isOne ? {} : { baseline: { what: 'with one worker', measured: one.databaseUs } }),
      note: 'of CPU',
    },
  ];
}

interface Setting {
  readonly broker: LocalBroker;
  readonly uri: string;
  readonly count: number;
  readonly events: number;
}

function measure({ broker, uri, count, events }: Setting): Promise<Measured> {
  return withTemporaryDirectory(async (directory) => {
    const started: CollectorProcess[] = [];
    const start = async (role: 'gateway' | 'worker'): Promise<CollectorProcess> => {
      const home = join(directory, `${role}-${started.length + 1}`);
      mkdirSync(home);
      const collector = await startCollector({
        ...{ home, store: uri, nodeOptions: ['--max-semi-space-size=16'] },
        isReady: ({ ready, role: now }) => ready || now === 'gateway',
        environment: {
          PI_LEDGER_ROLE: role,
          PI_LEDGER_KAFKA: `kafka://${broker.address}/workers-${count}`,
          PI_LEDGER_CELLS: String(cells),
        },
      });
      started.push(collector);
      return collector;
    };
    try {
      const taking: CollectorProcess[] = [];
      while (taking.length < count) taking.push(await start('worker'));
      const gateway = await start('gateway');
      const warm = await sendBacklog(gateway.url, warmUpEvents * count, 0);
      await folded(taking, warm);
      const resting = await spent(taking);
      await sleep(restSeconds * 1_000);
      const before = await spent(taking);
      const { events: sent } = await playPaced({
        batches: liveBatches({ sessionsOpen, eventsMax: batchEvents, part: 1 }),
        ...{ eventsPerSecond, sendersMax, seconds: events / eventsPerSecond },
        send: (batch) => sendBatch(gateway.url, batch),
      });
      await folded(taking, warm + sent);
      const after = await spent(taking);
      const seconds = (after.atMs - before.atMs) / 1_000;
      const atRest = (name: 'workers' | 'database') =>
        (before[name] - resting[name]) / ((before.atMs - resting.atMs) / 1_000);
      const perEvent = (name: 'workers' | 'database') =>
        ((after[name] - before[name] - atRest(name) * seconds) / sent) * 1e6;
      return {
        ...{ count, events: sent, seconds, coresAtRest: atRest('workers') },
        ...{ workersUs: perEvent('workers'), databaseUs: perEvent('database') },
      };
    } finally {
      await Promise.all(started.map((each) => each.stop()));
    }
  });
}

async function folded([worker]: readonly CollectorProcess[], events: number): Promise<void> {
  for (let isFolded = false; !isFolded; await sleep(pollMs)) {
    const answer = await fetch(`${worker?.url}/v1/health`);
    const { views = [] } = (await answer.json()) as Pick<Health, 'views'>;
    isFolded = views.length > 0 && views.every(({ position }) => position >= events);
  }
}

async function spent(taking: readonly CollectorProcess[]) {
  const seconds = await Promise.all(taking.map((each) => each.cpuSeconds()));
  return {
    atMs: performance.now(),
    workers: seconds.reduce((sum, each) => sum + each, 0),
    database: await cpuSecondsOfDescendants(databasePrograms),
  };
}
