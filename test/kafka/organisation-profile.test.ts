/**
 * The profile `organisation` of docker-compose.yml without images: its Kafka by its own command and
 * settings, its two gateways and two workers with their own environment, as processes, on a
 * MongoDB-compatible server, in a ledger of four cells. Only addresses and ports differ.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Static } from 'typebox';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { main } from '../../collector/cli/main.ts';
import type { KafkaSettings } from '../../collector/ingest/kafka/kafka.ts';
import { createKafka } from '../../collector/ingest/kafka/kafkajs.ts';
import type { LogPage } from '../../contract/answers/log.ts';
import { temporaryDirectory } from '../collector/support/directory.ts';
import { exampleEvents } from '../collector/support/events.ts';
import {
  type CollectorProcess,
  endCollector,
  postEvents,
  startCollectorProcess,
} from '../mongodb/support/collectors.ts';
import { compose, fill } from '../repository/compose-file.ts';
import { composeCommands } from '../repository/compose-init.ts';
import { uriOf } from '../services/mongodb/databases.ts';
import { findServer, type MongodbServer } from '../services/mongodb/find-server.ts';
import { createProfileBroker, type ProfileBroker } from './profile-broker.ts';

const directory = temporaryDirectory();
const ledgers = ['gateway-1', 'gateway-2', 'collector', 'worker'] as const;
type Ledger = (typeof ledgers)[number];

let variables: Readonly<Record<string, string>>;
let broker: ProfileBroker;
let server: MongodbServer;
let store: string;
const running = new Map<Ledger, CollectorProcess>();

beforeAll(async () => {
  const made = await composeCommands(directory).init('--organisation');
  variables = { ...made.variables, PI_LEDGER_CELLS: '4' };
  broker = await createProfileBroker(directory, variables);
  const found = await findServer(process.env);
  if (found.kind === 'none') throw new Error(found.reason);
  server = found.server;
  store = uriOf(server.uri, `organisation_${randomUUID().replaceAll('-', '')}`);
});
afterEach(async () => {
  await Promise.all([...running.values()].map((each) => endCollector(each, 'SIGTERM')));
});
afterAll(async () => {
  await broker?.stop();
  await server?.stop();
});

/** With the environment that Compose gives it. */
async function start(name: Ledger): Promise<void> {
  const { environment = {} } = compose.services[name] ?? {};
  const given = Object.entries(environment).map(([key, text]) => [
    key,
    fill(text, variables).replace('@kafka:9092', `@${broker.address}`),
  ]);
  // The image listens for all, and so asks for tokens; here it listens on loopback.
  const settings = { PI_LEDGER_AUTH: 'required', ...Object.fromEntries(given) };
  const moved = { ...settings, PI_LEDGER_STORE: store };
  running.set(name, await startCollectorProcess(store, directory, moved));
}

const urlOf = (name: Ledger): string => running.get(name)?.url ?? '';

async function kill(name: Ledger): Promise<void> {
  const process = running.get(name);
  if (process !== undefined) await endCollector(process, 'SIGKILL');
}

/** As `docker compose run --rm collector token create` does, before anything else runs. */
async function createToken(): Promise<string> {
  const lines: string[] = [];
  const argv = ['token', 'create', '--user', 'ada', '--scope', 'ingest', '--scope', 'admin'];
  const code = await main(argv, {
    env: { HOME: directory, PI_LEDGER_HOME: directory, PI_LEDGER_STORE: store },
    ...{ columns: null, colour: false, now: () => new Date() },
    print: (line) => lines.push(line),
    complain: (line) => lines.push(line),
  });
  const [token] = /pil_\S+/.exec(lines.join('\n')) ?? [];
  if (code !== 0 || token === undefined) throw new Error(lines.join('\n'));
  return token;
}

/** Four agents, each with its own session, at the one gateway and then at the other. */
function sendDuring(authorization: string) {
  const acked = new Set<string>();
  let isOver = false;

  async function deliver(events: ReturnType<typeof exampleEvents>): Promise<void> {
    for (let attempt = 0; ; attempt += 1) {
      const url = urlOf(attempt % 2 === 0 ? 'gateway-1' : 'gateway-2');
      const answer = await postEvents(url, events, { authorization }).catch(() => null);
      await answer?.text().catch(() => '');
      if (answer?.status === 200) return;
      await sleep(20);
    }
  }

  const agents = [1, 2, 3, 4].map(async (agent) => {
    const origin = { source: `/producers/${agent}`, subject: `session-${agent}` };
    for (let first = 1; !isOver; first += 10) {
      const events = exampleEvents(agent * 1_000_000 + first, 10, origin);
      await deliver(events);
      for (const { id } of events) acked.add(id);
    }
  });
  return {
    acked,
    async end(): Promise<ReadonlySet<string>> {
      isOver = true;
      await Promise.all(agents);
      return acked;
    },
  };
}

type Page = Static<typeof LogPage>;

async function loggedIds(url: string, authorization: string): Promise<string[]> {
  const ids: string[] = [];
  for (let after = 0; ; ) {
    const answer = await fetch(`${url}/v1/log?after=${after}`, { headers: { authorization } });
    const { rows, next } = (await answer.json()) as Page;
    ids.push(...rows.map(({ event }) => (event as { readonly id: string }).id));
    if (next === null) return ids;
    after = next;
  }
}

it('has what its gateways acknowledged once, though Kafka and a worker were killed', async () => {
  const authorization = `Bearer ${await createToken()}`;
  // A gateway waits for what is not there yet: brokers, and a ledger in the database.
  await start('gateway-1');
  await broker.start();
  for (const name of ledgers.slice(1)) await start(name);
  const sending = sendDuring(authorization);
  const more = async (): Promise<void> => {
    const before = sending.acked.size;
    await expect.poll(() => sending.acked.size).toBeGreaterThan(before + 100);
  };
  await more();
  await broker.kill();
  await broker.start();
  await more();
  await Promise.all([kill('collector'), kill('gateway-1')]);
  await more();
  // `restart: unless-stopped` starts them again.
  await Promise.all([start('collector'), start('gateway-1')]);
  await more();
  const acked = await sending.end();
  for (const name of ['collector', 'worker'] as const) {
    const ids = (): Promise<string[]> => loggedIds(urlOf(name), authorization);
    await expect.poll(async () => (await ids()).length).toBeGreaterThanOrEqual(acked.size);
    expect((await ids()).toSorted()).toEqual([...acked].toSorted());
  }
  const sum = async (): Promise<number> => {
    const usage = await fetch(`${urlOf('worker')}/v1/usage`, { headers: { authorization } });
    return ((await usage.json()) as { total: { records: number } }).total.records;
  };
  await expect.poll(sum).toBe(acked.size);
});

it('lets nobody to Kafka who does not know the password', async () => {
  const brokers = [broker.address];
  const plain = { brokers, topicPrefix: 'pi-ledger', sasl: null, tls: null };
  const asking = (settings: KafkaSettings): Promise<number> =>
    createKafka(settings)
      .openTopics()
      .then((topics) => topics.brokerCount().finally(() => topics.close()));
  await expect(asking(plain)).rejects.toThrow();
  const login = { mechanism: 'scram-sha-512', username: 'pi_ledger', password: 'guessed' } as const;
  await expect(asking({ ...plain, sasl: login })).rejects.toThrow();
  const sasl = { ...login, password: variables.KAFKA_PASSWORD ?? '' };
  expect(await asking({ ...plain, sasl })).toBe(1);
});
