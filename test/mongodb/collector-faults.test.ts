import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, onTestFailed } from 'vitest';
import { temporaryDirectory } from '../collector/support/directory.ts';
import { exampleEvents } from '../collector/support/events.ts';
import { canMount, shrink } from '../hosts/support/machine/disks.ts';
import { laneDatabases, uriOf } from '../services/mongodb/databases.ts';
import {
  isLocalServerPossible,
  type LocalServer,
  startLocalServer,
} from '../services/mongodb/local-server.ts';
import { startProxy } from '../services/mongodb/proxy.ts';
import {
  becomes,
  type CollectorProcess,
  endCollector,
  expectEachOnce,
  killOnItsWayUp,
  postEvents,
  recordsIn,
  sendDuring,
  startCollectorProcess,
} from './support/collectors.ts';

/** Each takes some 2 s. */
const killRounds = Number(process.env.PI_LEDGER_KILL_ROUNDS ?? 15);
/** Longer than a lease. */
const outageMs = Number(process.env.PI_LEDGER_OUTAGE_MS ?? 9_000);
const gibibyte = 2 ** 30;
const spareBytes = 256 * 1024;

const databases = laneDatabases();
const directory = temporaryDirectory();
const started: CollectorProcess[] = [];
let server: LocalServer | null = null;

afterEach(async () => {
  for (const collector of started.splice(0)) await endCollector(collector, 'SIGKILL');
  await server?.stop();
  server = null;
});

async function start(store: string): Promise<CollectorProcess> {
  const collector = await startCollectorProcess(store, directory);
  started.push(collector);
  onTestFailed(() => console.error(collector.errors().split('\n').slice(-40).join('\n')));
  return collector;
}

async function expectFolded(
  collector: CollectorProcess,
  store: string,
  acked: ReadonlySet<string>,
): Promise<void> {
  await expectEachOnce(store, acked);
  await expect.poll(() => recordsIn(collector.url)).toBe(acked.size);
}

/** An event that was sent before: accepted again, it changes nothing. */
async function refusal(url: string): Promise<number> {
  const answer = await postEvents(
    url,
    exampleEvents(1_000_001, 1, { source: '/producers/1', subject: 'session-1' }),
  );
  await answer.text();
  return answer.status;
}

describe('log and views have what was acknowledged, once, under five senders', {
  timeout: 900_000 + killRounds * 60_000,
}, () => {
  it('while the collector is killed with SIGKILL again and again', async () => {
    const store = databases.uri();
    let collector = await start(store);
    const sending = sendDuring(() => [collector.url]);
    for (let round = 0; round < killRounds; round += 1) {
      if (Math.random() < 0.25) await killOnItsWayUp(store, directory);
      else await becomes(collector, 'leader').then(() => sleep(Math.random() * 1_000));
      await endCollector(collector, 'SIGKILL');
      collector = await start(store);
    }
    await becomes(collector, 'leader');
    await expect.poll(() => sending.acked.size).toBeGreaterThan(killRounds);
    await expectFolded(collector, store, await sending.end());
  });

  it.skipIf(!isLocalServerPossible()).each(['gateway', 'database'] as const)(
    'while the %s of the server is killed and away for longer than a lease',
    async (part) => {
      const own = await startLocalServer(process.env);
      server = own;
      const store = uriOf(own.uri, 'away');
      const collector = await start(store);
      const sending = sendDuring(() => [collector.url]);
      await expect.poll(() => sending.acked.size).toBeGreaterThan(100);
      await own.kill(part);
      await sleep(outageMs);
      const refused = await postEvents(collector.url, exampleEvents(1, 1));
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
      await own.restart(part);
      const before = sending.acked.size;
      await becomes(collector, 'leader');
      await expect.poll(() => sending.acked.size).toBeGreaterThan(before + 50);
      await expectFolded(collector, store, await sending.end());
    },
  );

  it.skipIf(!isLocalServerPossible() || !canMount())(
    'while the disk of the server is full, until there is room again',
    async () => {
      const own = await startLocalServer(process.env, { diskBytes: gibibyte });
      server = own;
      const store = uriOf(own.uri, 'full');
      const collector = await start(store);
      const sending = sendDuring(() => [collector.url]);
      await expect.poll(() => sending.acked.size).toBeGreaterThan(100);
      if (own.disk === null) throw new Error('it has no disk of its own');
      shrink(own.disk, spareBytes);
      await expect
        .poll(() => refusal(collector.url), { interval: 200 })
        .toBeGreaterThanOrEqual(500);
      // A single event may still fit into an existing page; what is acknowledged meanwhile matters.
      await sleep(3_000);
      own.disk.resize(gibibyte);
      // It may have exited by itself: failing to write its own log is fatal.
      await own.restart('database');
      const before = sending.acked.size;
      await becomes(collector, 'leader');
      await expect.poll(() => sending.acked.size).toBeGreaterThan(before + 50);
      await expectFolded(collector, store, await sending.end());
    },
  );

  it('while connections to the server break, and answers come late', async () => {
    const store = databases.uri();
    const network = await startProxy(store);
    const collector = await start(network.uri(store));
    const sending = sendDuring(() => [collector.url]);
    for (let round = 0; round < 15; round += 1) {
      network.slow(round % 3 === 2 ? 100 : 0);
      await sleep(Math.random() * 500);
      network.cut();
    }
    for (const [command, collection] of [
      ['insert', 'events'],
      ['update', 'receipts'],
      ['insert', 'view_commits'],
      ['update', 'usage'],
    ] as const) {
      network.slow(0);
      await network.loseAnswerTo(command, collection);
    }
    await becomes(collector, 'leader');
    await expectFolded(collector, store, await sending.end());
    await endCollector(collector, 'SIGTERM');
    await network.close();
  });
});
