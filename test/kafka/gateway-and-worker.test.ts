/** A gateway and a worker as processes, with a broker of their own in between. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Static } from 'typebox';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { KafkaSettings } from '../../collector/ingest/kafka/kafka.ts';
import { createKafka } from '../../collector/ingest/kafka/kafkajs.ts';
import { topicsOf } from '../../collector/ingest/kafka/records.ts';
import type { LogPage } from '../../contract/answers/log.ts';
import type { Ack } from '../../contract/index.ts';
import { temporaryDirectory } from '../collector/support/directory.ts';
import { exampleEvent, exampleEvents } from '../collector/support/events.ts';
import { dice } from '../hosts/support/machine/dice.ts';
import {
  type CollectorProcess,
  deliver,
  endCollector,
  health,
  postEvents,
  recordsIn,
  sendDuring,
  startCollectorProcess,
} from '../mongodb/support/collectors.ts';
import { type LocalBroker, startLocalBroker } from '../services/kafka/local-broker.ts';
import { settingsFor } from './support.ts';

const directory = temporaryDirectory();
const running: CollectorProcess[] = [];
let broker: LocalBroker;
let stores = 0;

beforeAll(async () => {
  broker = await startLocalBroker(process.env);
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((each) => endCollector(each, 'SIGTERM')));
});
afterAll(() => broker.stop());

interface Organisation {
  readonly settings: KafkaSettings;
  readonly store: string;
  start(role: 'gateway' | 'worker', more?: Record<string, string>): Promise<CollectorProcess>;
}

function organisation(): Organisation {
  const settings = settingsFor([broker.address]);
  stores += 1;
  const store = `sqlite:${join(directory, `ledger-${stores}.db`)}`;
  return {
    settings,
    store,
    async start(role, more = {}) {
      const kafka = `kafka://${settings.brokers.join(',')}/${settings.topicPrefix}`;
      const started = await startCollectorProcess(store, directory, {
        ...{ PI_LEDGER_ROLE: role, PI_LEDGER_KAFKA: kafka },
        ...more,
      });
      running.push(started);
      return started;
    },
  };
}

async function get<Answer>({ url }: CollectorProcess, path: string): Promise<Answer> {
  return (await fetch(`${url}${path}`)).json() as Promise<Answer>;
}

type Page = Static<typeof LogPage>;
type LogRow = Page['rows'][number] & { readonly event: { readonly id: string } };

async function wholeLog(worker: CollectorProcess): Promise<LogRow[]> {
  const all: LogRow[] = [];
  for (let after = 0; ; ) {
    const { rows, next } = await get<Page>(worker, `/v1/log?after=${after}`);
    all.push(...(rows as LogRow[]));
    if (next === null) return all;
    after = next;
  }
}

describe('a gateway before Kafka, and a worker behind it', () => {
  it('carries events, refusals and when they were received', async () => {
    const { start } = organisation();
    const [gateway, first] = [await start('gateway'), await start('worker')];
    await expect.poll(() => health(gateway.url)).toMatchObject({ ready: true, role: 'gateway' });
    await endCollector(first, 'SIGTERM');
    const beforeMs = Date.now();
    const bad = { ...exampleEvents(3, 1)[0], time: 'yesterday' };
    const answer = await postEvents(gateway.url, [...exampleEvents(1, 2), bad as never]);
    expect(answer.status).toBe(200);
    expect((await answer.json()) as Ack).toMatchObject({
      ...{ accepted: 2, duplicates: 0, expired: 0, unknown: ['duplicates', 'expired'] },
      rejected: [{ index: 2, code: 'schema', field: '/time' }],
    });
    const afterMs = Date.now();
    const worker = await start('worker');
    await expect.poll(async () => (await wholeLog(worker)).length).toBe(2);
    for (const { receivedAt } of await wholeLog(worker)) {
      expect(Date.parse(receivedAt)).toBeGreaterThanOrEqual(beforeMs);
      expect(Date.parse(receivedAt)).toBeLessThanOrEqual(afterMs);
    }
    await expect
      .poll(() => get(worker, '/v1/dead-letters'))
      .toMatchObject({ rows: [{ code: 'schema', field: '/time' }] });
    // The refused one did arrive, so its producer has no gap.
    await expect.poll(() => get(worker, '/v1/producers')).toMatchObject({ rows: [{ missing: 0 }] });
  });

  it('refuses while no broker answers, and goes on by itself', async () => {
    const { start } = organisation();
    const [gateway, worker] = [await start('gateway'), await start('worker')];
    await deliver(() => [gateway.url], exampleEvents(1, 5));
    await broker.kill();
    try {
      const refused = await postEvents(gateway.url, exampleEvents(6, 5));
      expect(refused.status).toBe(503);
      expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
      expect(await refused.json()).toMatchObject({ code: 'broker_unavailable' });
      await expect.poll(() => health(gateway.url)).toMatchObject({ status: 503, ready: false });
    } finally {
      await broker.restart();
    }
    await deliver(() => [gateway.url], exampleEvents(6, 5));
    await expect.poll(() => health(gateway.url)).toMatchObject({ ready: true });
    await expect.poll(async () => (await wholeLog(worker)).length).toBe(10);
  });

  it('attests who sent', async () => {
    const { start } = organisation();
    const worker = await start('worker');
    const text = await createToken(worker);
    const gateway = await start('gateway', { PI_LEDGER_AUTH: 'required' });
    const attributed = exampleEvent({ number: 1, type: 'pi.session.attributed.v1' });
    const send = (token: string) =>
      postEvents(gateway.url, [attributed], { authorization: `Bearer ${token}` });
    await expect.poll(async () => (await send(text)).status).toBe(200);
    expect((await send('pil_nobody')).status).toBe(401);
    await expect
      .poll(() => wholeLog(worker))
      .toMatchObject([{ event: { authenticateduser: 'ada' } }]);
  });

  it('makes a dead letter of a record that is no event, and goes on behind it', async () => {
    const { start, settings } = organisation();
    const [gateway, worker] = [await start('gateway'), await start('worker')];
    await deliver(() => [gateway.url], exampleEvents(1, 1));
    const producing = createKafka(settings).openProducing();
    const { events, deadLetters } = topicsOf(settings);
    const strange = { partition: 0, key: '', headers: {}, value: '{"half an ev' };
    const letter = { code: 'schema', field: '', message: '', body: '' };
    const refused = { letter, place: { source: '/producers/one', sequence: 'third' } };
    await producing.send([
      { topic: events, ...strange },
      { topic: events, ...strange, headers: { received: '9007199254740991' } },
      { topic: deadLetters, ...strange },
      { topic: deadLetters, ...strange, value: JSON.stringify(refused) },
    ]);
    await producing.close();
    await deliver(() => [gateway.url], exampleEvents(2, 1));
    await expect.poll(async () => (await wholeLog(worker)).length).toBe(2);
    await expect
      .poll(() => get(worker, '/v1/dead-letters'))
      .toMatchObject({ rows: Array.from({ length: 4 }, () => ({ code: 'not_an_event' })) });
  });

  it('has each acknowledged event once, whoever is killed', async () => {
    const { start } = organisation();
    let [gateway, worker] = [await start('gateway'), await start('worker')];
    await deliver(() => [gateway.url], exampleEvents(1, 1));
    const sending = sendDuring(() => [gateway.url]);
    const { below } = dice('who is killed');
    for (let round = 0; round < 10; round += 1) {
      const before = sending.acked.size;
      await expect.poll(() => sending.acked.size, { interval: 5 }).toBeGreaterThan(before + 20);
      const victim = below(5);
      if (victim === 0) {
        await broker.kill();
        await broker.restart();
      } else if (victim < 3) {
        await endCollector(gateway, 'SIGKILL');
        gateway = await start('gateway');
      } else {
        await endCollector(worker, 'SIGKILL');
        worker = await start('worker');
      }
    }
    const acked = new Set([...(await sending.end()), ...exampleEvents(1, 1).map(({ id }) => id)]);
    await expect
      .poll(async () => (await wholeLog(worker)).length)
      .toBeGreaterThanOrEqual(acked.size);
    const ids = (await wholeLog(worker)).map(({ event }) => event.id);
    expect(ids.toSorted()).toEqual([...acked].toSorted());
    await expect.poll(() => recordsIn(worker.url)).toBe(acked.size);
  });
});

/** By the program that commands find on this machine. Its text. */
async function createToken({ home, url }: CollectorProcess): Promise<string> {
  const { token } = JSON.parse(readFileSync(join(home, 'collector.json'), 'utf8')) as {
    readonly token: string;
  };
  const answer = await fetch(`${url}/v1/tokens`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ user: 'ada', scopes: ['ingest'] }),
  });
  return ((await answer.json()) as { readonly token: string }).token;
}
