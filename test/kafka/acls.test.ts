/** The ACLs of docs/kafka.md, on a broker that holds them: they are enough, and keep others out. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import kafkajs, { type AclEntry } from 'kafkajs';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { main } from '../../collector/cli/main.ts';
import { createKafka } from '../../collector/ingest/kafka/kafkajs.ts';
import { eventRecord, topicsOf } from '../../collector/ingest/kafka/records.ts';
import { temporaryDirectory } from '../collector/support/directory.ts';
import { exampleEvent, exampleEvents } from '../collector/support/events.ts';
import {
  type CollectorProcess,
  deliver,
  endCollector,
  startCollectorProcess,
} from '../mongodb/support/collectors.ts';
import { type LocalBroker, startLocalBroker } from '../services/kafka/local-broker.ts';
import { saslUser } from '../services/kafka/properties.ts';

const { AclOperationTypes, AclPermissionTypes, AclResourceTypes, ResourcePatternTypes } = kafkajs;
const directory = temporaryDirectory();
const guide = join(import.meta.dirname, '..', '..', 'docs', 'kafka.md');
const topicPrefix = 'pi-ledger';
const { password } = saslUser;
const running: CollectorProcess[] = [];
let broker: LocalBroker;

beforeAll(async () => {
  const limitedUsers = ['gateway', 'worker', 'operator', 'agent'];
  broker = await startLocalBroker(process.env, { limitedUsers });
  const client = new kafkajs.Kafka({
    brokers: [broker.address],
    logLevel: kafkajs.logLevel.NOTHING,
  });
  const admin = client.admin();
  await admin.connect();
  expect(await admin.createAcls({ acl: aclsIn(readFileSync(guide, 'utf8')) })).toBe(true);
  await admin.disconnect();
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((each) => endCollector(each, 'SIGTERM')));
});
afterAll(() => broker.stop());

/** As `kafka-acls.sh --add` reads the lines of the guide that begin with `acls`. */
function aclsIn(text: string): AclEntry[] {
  const lines = text.split('\n').filter((line) => line.startsWith('acls --'));
  expect(lines).toHaveLength(4);
  return lines.flatMap((line) => {
    const options = [...line.matchAll(/--([a-z-]+) (\S+)/g)];
    const of = (name: string) =>
      options.filter(([, option]) => option === name).map(([, , value = '']) => value);
    const isPrefix = of('resource-pattern-type')[0] === 'prefixed';
    const resources = [
      ...of('topic').map((name) => [AclResourceTypes.TOPIC, name] as const),
      ...of('group').map((name) => [AclResourceTypes.GROUP, name] as const),
    ];
    return resources.flatMap(([resourceType, resourceName]) =>
      of('operation').map((operation) => ({
        ...{ resourceType, resourceName, principal: of('allow-principal')[0] ?? '', host: '*' },
        resourcePatternType: isPrefix
          ? ResourcePatternTypes.PREFIXED
          : ResourcePatternTypes.LITERAL,
        operation: operations[operation] ?? AclOperationTypes.UNKNOWN,
        permissionType: AclPermissionTypes.ALLOW,
      })),
    );
  });
}

const operations: Readonly<Record<string, kafkajs.AclOperationTypes>> = {
  Read: AclOperationTypes.READ,
  Write: AclOperationTypes.WRITE,
  Create: AclOperationTypes.CREATE,
  Describe: AclOperationTypes.DESCRIBE,
  DescribeConfigs: AclOperationTypes.DESCRIBE_CONFIGS,
};

const addressFor = (user: string) =>
  `kafka://${user}:${password}@${broker.saslAddress}/${topicPrefix}?mechanism=plain`;

function producing(username: string) {
  const sasl = { mechanism: 'plain', username, password } as const;
  const settings = { brokers: [broker.saslAddress], topicPrefix, sasl, tls: null };
  return createKafka(settings).openProducing();
}

const forged = {
  ...exampleEvent({ number: 900 }),
  ...{ authenticateduser: 'ada', data: exampleEvent({ number: 900 }).data },
};
const record = () =>
  eventRecord(topicsOf({ topicPrefix }).events, 0, forged, JSON.stringify(forged), {
    receivedAtMs: Date.now(),
  });

it('let an operator make the topics, a gateway write them, a worker read them', async () => {
  const printed: string[] = [];
  const code = await main(['topics', '--replication', '1'], {
    env: { PI_LEDGER_HOME: directory, HOME: directory, PI_LEDGER_KAFKA: addressFor('operator') },
    columns: null,
    colour: false,
    now: () => new Date(),
    print: (line) => printed.push(line),
    complain: (line) => printed.push(line),
  });
  expect({ code, printed }).toMatchObject({ code: 0 });
  const store = `sqlite:${join(directory, 'ledger.db')}`;
  const start = async (role: string) => {
    const settings = { PI_LEDGER_ROLE: role, PI_LEDGER_KAFKA: addressFor(role) };
    const started = await startCollectorProcess(store, directory, settings);
    running.push(started);
    return started;
  };
  const [gateway, worker] = [await start('gateway'), await start('worker')];
  await deliver(() => [gateway.url], exampleEvents(1, 5));
  const log = async () => (await fetch(`${worker.url}/v1/log`)).json();
  await expect.poll(async () => (await log()).rows.length).toBe(5);

  // Nobody else writes, and whoever writes is believed.
  const agent = producing('agent');
  await expect(agent.send([record()])).rejects.toThrow(/authoriz/i);
  await agent.close();
  const insider = producing('gateway');
  await insider.send([record()]);
  await insider.close();
  await expect.poll(async () => (await log()).rows.length).toBe(6);
  expect((await log()).rows[5].event).toMatchObject({ id: forged.id, authenticateduser: 'ada' });
});
