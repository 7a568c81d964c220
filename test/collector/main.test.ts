import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type CollectorConfig, loadCollectorConfig } from '../../collector/config/config.ts';
import { type Collector, openLedger, startCollector } from '../../collector/main.ts';
import { createProjections } from '../../collector/projections/registry.ts';
import { noRules } from '../../collector/projections/rules.ts';
import { isReaderFresh } from '../../core/spool/lease.ts';
import { readOwner } from '../../core/spool/owner.ts';
import { leaveSegment } from './support/dead-producer.ts';
import { temporaryDirectory } from './support/directory.ts';
import { exampleEvents } from './support/events.ts';
import { batchType } from './support/ledger.ts';
import { mountSmallDisk } from './support/small-disk.ts';

const directory = temporaryDirectory();
let homes = 0;
const running: Collector[] = [];

function newConfig(port = '0'): CollectorConfig {
  homes += 1;
  return loadCollectorConfig({
    PI_LEDGER_HOME: join(directory, String(homes)),
    PI_LEDGER_PORT: port,
  });
}

async function start(config: CollectorConfig): Promise<Collector> {
  const collector = await startCollector(config, { logStream: null });
  running.push(collector);
  return collector;
}

const post = (url: string, events: object) =>
  fetch(`${url}/v1/events`, {
    method: 'POST',
    body: JSON.stringify(events),
    headers: { 'content-type': batchType },
  });

async function records(url: string): Promise<number> {
  const answer = (await (await fetch(`${url}/v1/usage`)).json()) as { total: { records: number } };
  return answer.total.records;
}

afterEach(async () => {
  for (const collector of running.splice(0)) await collector.stop();
});

describe('a collector', () => {
  it('listens on this machine only, says where, and takes that back when it stops', async () => {
    const config = newConfig();
    const { url, stop, stopped } = await start(config);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(JSON.parse(readFileSync(join(config.home, 'collector.json'), 'utf8'))).toMatchObject({
      url,
      pid: process.pid,
    });
    await expect
      .poll(() => isReaderFresh(config.spoolDirectory, Date.now(), readOwner()))
      .toBe(true);
    expect((await post(url, exampleEvents(1, 5))).status).toBe(200);
    expect(await records(url)).toBe(5);
    expect(await stop()).toBe(true);
    expect(await stopped).toBe(true);
    expect(existsSync(join(config.home, 'collector.json'))).toBe(false);
    expect(isReaderFresh(config.spoolDirectory, Date.now(), readOwner())).toBe(false);
    await expect(fetch(url)).rejects.toThrow();
    expect(process.listenerCount('SIGTERM')).toBe(0);
  });

  it('ingests what waits in the spool', async () => {
    const config = newConfig();
    leaveSegment(
      config.spoolDirectory,
      1,
      exampleEvents(1, 7).map((event) => JSON.stringify(event)),
    );
    const { url } = await start(config);
    await expect.poll(() => records(url)).toBe(7);
  });

  it('finishes the requests under way when it is stopped', async () => {
    const config = newConfig();
    const { url, stop } = await start(config);
    const answers = Array.from({ length: 10 }, (_, n) => post(url, exampleEvents(n * 100, 100)));
    await Promise.race(answers);
    await stop();
    const settled = await Promise.allSettled(answers);
    const acked = settled.filter(
      (answer) => answer.status === 'fulfilled' && answer.value.status === 200,
    ).length;
    const ledger = await openLedger(config);
    expect(await ledger.log.head()).toBeGreaterThanOrEqual(acked * 100);
    await ledger.close();
  });

  it('refuses a store that another one serves, and names that', async () => {
    const config = newConfig();
    const { url } = await start(config);
    await expect(startCollector(config, { logStream: null })).rejects.toMatchObject({
      code: 'store_locked',
      message: expect.stringContaining(url),
    });
  });

  it('names the port when another program listens there, and leaves nothing behind', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as { port: number };
    const config = newConfig(String(port));
    await expect(startCollector(config, { logStream: null })).rejects.toMatchObject({
      code: 'address_in_use',
      message: expect.stringContaining(String(port)),
    });
    expect(existsSync(join(config.home, 'collector.json'))).toBe(false);
    other.close();
    const ledger = await openLedger(config);
    expect(ledger.readOnly).toBe(false);
    await ledger.close();
  });
});

describe('a ledger that a command opens', () => {
  it('answers by the same routes, with the spool taken in', async () => {
    const config = newConfig();
    leaveSegment(
      config.spoolDirectory,
      1,
      exampleEvents(1, 3).map((event) => JSON.stringify(event)),
    );
    const ledger = await openLedger(config);
    await ledger.drainSpool();
    const answer = await ledger.app.inject('/v1/usage');
    expect(answer.json().total.records).toBe(3);
    await ledger.close();
  });

  it('only reads beside a collector', async () => {
    const config = newConfig();
    const { url } = await start(config);
    await post(url, exampleEvents(1, 4));
    expect(await records(url)).toBe(4);
    const ledger = await openLedger(config);
    expect(ledger.readOnly).toBe(true);
    expect((await ledger.app.inject('/v1/usage')).json().total.records).toBe(4);
    expect((await ledger.app.inject('/health/ready')).json()).toMatchObject({
      ready: false,
      role: 'standby',
      views: createProjections(noRules).map(({ name }) => ({ projection: name, position: 4 })),
    });
    const rebuild = await ledger.app.inject({ method: 'POST', url: '/v1/rebuild/sessions' });
    expect([rebuild.statusCode, rebuild.json().code]).toEqual([503, 'store_locked']);
    const payload = JSON.stringify(exampleEvents(9, 1));
    const append = await ledger.app.inject({
      method: 'POST',
      url: '/v1/events',
      payload,
      headers: { 'content-type': batchType },
    });
    expect(append.statusCode).toBe(503);
    await ledger.close();
    expect(await records(url)).toBe(4);
  });
});

describe('a full disk', () => {
  const disk = mountSmallDisk(4);

  it.skipIf(disk === null)(
    'answers 503, keeps what it acknowledged, and recovers by itself (needs to mount a tmpfs)',
    async () => {
      const config = loadCollectorConfig({
        PI_LEDGER_HOME: join(disk ?? '', 'home'),
        PI_LEDGER_PORT: '0',
      });
      const { url } = await start(config);
      const filler = join(disk ?? '', 'filler');
      writeFileSync(filler, Buffer.alloc(2 * 1024 * 1024));
      let acked = 0;
      let refusal: Response | undefined;
      for (let first = 1; refusal === undefined && first < 20_000; first += 100) {
        const answer = await post(url, exampleEvents(first, 100));
        if (answer.status === 200) acked += 100;
        else refusal = answer;
      }
      expect(refusal?.status).toBe(503);
      expect(Number(refusal?.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await refusal?.json()).toMatchObject({ code: 'store_unavailable' });
      writeFileSync(filler, '');
      await expect
        .poll(async () => (await post(url, exampleEvents(acked + 1, 100))).status)
        .toBe(200);
      await expect.poll(() => records(url)).toBe(acked + 100);
      expect((await fetch(`${url}/health/ready`)).status).toBe(200);
    },
  );
});
