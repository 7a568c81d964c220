/** Topics are created, found and told apart; brokers that ask for a name get one. */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { main } from '../../collector/cli/main.ts';
import type { KafkaSettings } from '../../collector/ingest/kafka/kafka.ts';
import { createKafka } from '../../collector/ingest/kafka/kafkajs.ts';
import { topicsOf } from '../../collector/ingest/kafka/records.ts';
import { temporaryDirectory } from '../collector/support/directory.ts';
import { type LocalBroker, startLocalBroker } from '../services/kafka/local-broker.ts';
import { saslUser } from '../services/kafka/properties.ts';
import { createCertificate } from '../support/certificate.ts';
import { laneBrokers, readAll, settingsFor } from './support.ts';

const directory = temporaryDirectory();

function topics(kafka: string, ...argv: string[]) {
  return topicsIn({ PI_LEDGER_KAFKA: kafka }, ...argv);
}

async function topicsIn(settings: Readonly<Record<string, string>>, ...argv: string[]) {
  const printed: string[] = [];
  const code = await main(['topics', ...argv], {
    ...{ env: { PI_LEDGER_HOME: directory, ...settings }, columns: null },
    ...{ colour: false, now: () => new Date('2026-11-22T12:00:00Z') },
    print: (line) => printed.push(line),
    complain: (line) => printed.push(line),
  });
  return { code, printed };
}

it('creates what is missing, and says how the rest differs', async () => {
  const { brokers, topicPrefix } = settingsFor(laneBrokers());
  const kafka = `kafka://${brokers.join(',')}/${topicPrefix}`;
  const names = topicsOf({ topicPrefix });
  expect(await topics(kafka, '--dry-run')).toEqual({
    code: 1,
    printed: [`${names.events}: missing`, `${names.deadLetters}: missing`],
  });
  const created = await topics(kafka, '--partitions', '3', '--replication', '1');
  expect(created).toEqual({
    code: 0,
    printed: [
      `${names.events}: created, 3 partitions, 1 replicas, 0 records`,
      `${names.deadLetters}: created, 1 partitions, 1 replicas, 0 records`,
      `${names.claims}: created, 3 partitions, 1 replicas, 0 records`,
    ],
  });
  const other = await topics(kafka, '--partitions', '4', '--retention-days', '8');
  expect(other.code).toBe(1);
  expect(other.printed).toContain('  it has 3 partitions, not 4');
  expect(other.printed).toContain('  retention.ms is 604800000, not 691200000');
});

it('creates a partition for each cell, where cells are set', async () => {
  const { brokers, topicPrefix } = settingsFor(laneBrokers());
  const settings = {
    PI_LEDGER_KAFKA: `kafka://${brokers.join(',')}/${topicPrefix}`,
    PI_LEDGER_CELLS: '3',
  };
  const created = await topicsIn(settings);
  expect(created.code).toBe(0);
  expect(created.printed[0]).toContain('created, 3 partitions');
  expect((await topicsIn(settings)).code).toBe(0);
  expect((await topicsIn(settings, '--partitions', '4')).code).toBe(1);
});

it('says when no broker answers, and which', async () => {
  const { code, printed } = await topics('kafka://127.0.0.1:1/x');
  expect(code).toBe(1);
  expect(printed.join()).toContain('No broker answers at 127.0.0.1:1');
});

describe('a broker that asks for a name', () => {
  const certificate = createCertificate(directory);
  const elsewhere = createCertificate(mkdtempSync(join(directory, 'elsewhere-')));
  const login = { mechanism: 'plain', ...saslUser } as const;
  let broker: LocalBroker;

  beforeAll(async () => {
    broker = await startLocalBroker(process.env, { certificate });
  });
  afterAll(() => broker.stop());

  it.each(['plain', 'scram-sha-256', 'scram-sha-512'] as const)(
    'gets one by %s, and takes no wrong password',
    async (mechanism) => {
      const sasl = { mechanism, ...saslUser };
      const settings = { ...settingsFor([broker.saslAddress]), sasl };
      await works(settings);
      const wrong = { ...settings, sasl: { ...sasl, password: 'wrong' } };
      await expect(createKafka(wrong).openTopics()).rejects.toThrow();
    },
  );

  it('gets it encrypted, if its certificate is of the authority that is named', async () => {
    const settings = { ...settingsFor([broker.encryptedAddress]), sasl: login };
    await works({ ...settings, tls: { caFile: certificate.certPath } });
    const { username, password } = saslUser;
    const kafka = `kafka://${username}:${password}@${broker.encryptedAddress}/cli`;
    const options = 'mechanism=scram-sha-256';
    const created = await topics(`${kafka}?${options}&ca=${certificate.certPath}`);
    expect(created.printed[0]).toMatch(/^cli\S+: created, /);
    for (const trust of ['tls=true', `ca=${elsewhere.certPath}`, 'tls=false']) {
      const { code, printed } = await topics(`${kafka}?${options}&${trust}`);
      expect({ trust, code }).toEqual({ trust, code: 1 });
      expect(printed.join()).toContain(`No broker answers at ${broker.encryptedAddress}`);
      expect(printed.join()).not.toContain(password);
    }
  });
});

/** Creates a topic, and reads back what is sent to it. */
async function works(settings: KafkaSettings): Promise<void> {
  const kafka = createKafka(settings);
  const topic = settings.topicPrefix;
  const admin = await kafka.openTopics();
  await admin.create([{ topic, partitions: 1, replication: 1, settings: {} }]);
  await admin.close();
  const producing = kafka.openProducing();
  const record = { topic, partition: 0, key: 'k', value: 'v', headers: { a: 'b' } };
  await expect
    .poll(() =>
      producing.send([record]).then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);
  await producing.close();
  expect(await readAll(kafka, topic)).toMatchObject([{ value: 'v', headers: { a: 'b' } }]);
}
