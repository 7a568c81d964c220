import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, onTestFailed } from 'vitest';
import { connectMongodb } from '../../collector/stores/mongodb/connection.ts';
import { readLeaseHolder } from '../../collector/stores/mongodb/lease.ts';
import { temporaryDirectory } from '../collector/support/directory.ts';
import { exampleEvents } from '../collector/support/events.ts';
import { laneDatabases } from '../services/mongodb/databases.ts';
import {
  becomes,
  type CollectorProcess,
  deliver,
  endCollector,
  expectEachOnce,
  health,
  postEvents,
  recordsIn,
  sendDuring,
  startCollectorProcess,
} from './support/collectors.ts';

const databases = laneDatabases();
const directory = temporaryDirectory();
const started: CollectorProcess[] = [];

afterEach(async () => {
  for (const collector of started.splice(0)) await endCollector(collector, 'SIGKILL');
});

async function start(store: string): Promise<CollectorProcess> {
  const collector = await startCollectorProcess(store, directory);
  started.push(collector);
  onTestFailed(() => console.error(collector.errors().split('\n').slice(-40).join('\n')));
  return collector;
}

async function leaseHolder(uri: string): Promise<string | null> {
  const { database, close } = await connectMongodb({ uri });
  const holder = await readLeaseHolder(database);
  await close();
  return holder;
}

describe('collectors on one store in MongoDB', () => {
  it('has events from HTTP once in the log and in the views, even after a restart', async () => {
    const store = databases.uri();
    const one = await start(store);
    expect(await health(one.url)).toEqual({ status: 200, role: 'leader', ready: true });
    expect(await (await postEvents(one.url, exampleEvents(1, 20))).json()).toMatchObject({
      accepted: 20,
      duplicates: 0,
    });
    expect(await (await postEvents(one.url, exampleEvents(11, 20))).json()).toMatchObject({
      accepted: 10,
      duplicates: 10,
    });
    await expect.poll(() => recordsIn(one.url)).toBe(30);
    expect(await endCollector(one, 'SIGTERM')).toBe(0);
    expect(one.errors()).toBe('');
    const two = await start(store);
    await becomes(two, 'leader');
    await expect.poll(() => recordsIn(two.url)).toBe(30);
    await expectEachOnce(store, new Set(exampleEvents(1, 30).map(({ id }) => id)));
  });

  it('a standby answers readers, defers writers, takes over when the leader stops', async () => {
    const store = databases.uri();
    const one = await start(store);
    const two = await start(store);
    expect(await health(two.url)).toEqual({ status: 503, role: 'standby', ready: false });
    await deliver(() => [one.url], exampleEvents(1, 5));
    await expect.poll(() => recordsIn(one.url)).toBe(5);
    expect(await recordsIn(two.url)).toBe(5);
    const refused = await postEvents(two.url, exampleEvents(6, 5));
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await refused.json()).toMatchObject({ code: 'standing_by' });
    const holder = await leaseHolder(store);
    expect(holder).not.toBeNull();
    expect(await endCollector(one, 'SIGTERM')).toBe(0);
    // It has given its lease back: nobody waits for its end.
    expect(await leaseHolder(store)).not.toBe(holder);
    await becomes(two, 'leader');
    await deliver(() => [two.url], exampleEvents(6, 5));
    await expect.poll(() => recordsIn(two.url)).toBe(10);
    await expectEachOnce(store, new Set(exampleEvents(1, 10).map(({ id }) => id)));
  });

  it('the next one on this computer leads at once after a kill, without waiting', async () => {
    const store = databases.uri();
    const one = await start(store);
    await deliver(() => [one.url], exampleEvents(1, 5));
    await endCollector(one, 'SIGKILL');
    const two = await start(store);
    expect(await health(two.url)).toMatchObject({ role: 'leader' });
    await deliver(() => [two.url], exampleEvents(1, 10));
    await expect.poll(() => recordsIn(two.url)).toBe(10);
  });

  it('every acknowledged event counts once while collectors are killed and suspended', async () => {
    const store = databases.uri();
    const collectors = [await start(store), await start(store)];
    const urls = (): string[] => collectors.map(({ url }) => url);
    const sending = sendDuring(urls);
    for (let round = 0; round < 3; round += 1) {
      await sleep(500 + Math.random() * 500);
      const roles = await Promise.all(collectors.map(({ url }) => health(url)));
      const index = Math.max(
        0,
        roles.findIndex(({ role }) => role === 'leader'),
      );
      const [leading, waiting] = [
        collectors[index] as CollectorProcess,
        collectors[1 - index] as CollectorProcess,
      ];
      leading.child.kill(round % 2 === 0 ? 'SIGSTOP' : 'SIGKILL');
      await becomes(waiting, 'leader');
      await sleep(300);
      leading.child.kill('SIGCONT');
      if (round % 2 === 0) await becomes(leading, 'standby');
      else collectors[index] = await start(store);
    }
    const acked = await sending.end();
    expect(acked.size).toBeGreaterThan(100);
    await expectEachOnce(store, acked);
    await expect.poll(() => recordsIn(urls()[0] ?? '')).toBe(acked.size);
    await expect.poll(() => recordsIn(urls()[1] ?? '')).toBe(acked.size);
  });
});
