/** Topics are created, found and told apart; brokers that ask for a name get one. */
import { expect, it } from 'vitest';
import { main } from '../../collector/cli/main.ts';
import { createKafka } from '../../collector/ingest/kafka/kafkajs.ts';
import { topicsOf } from '../../collector/ingest/kafka/records.ts';
import { temporaryDirectory } from '../collector/support/directory.ts';
import { startLocalBroker } from '../services/kafka/local-broker.ts';
import { saslUser } from '../services/kafka/properties.ts';
import { laneBrokers, readAll, settingsFor } from './support.ts';

const directory = temporaryDirectory();

async function topics(kafka: string, ...argv: string[]) {
  const printed: string[] = [];
  const code = await main(['topics', ...argv], {
    ...{ env: { PI_LEDGER_HOME: directory, PI_LEDGER_KAFKA: kafka }, columns: null },
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

it('says when no broker answers, and which', async () => {
  const { code, printed } = await topics('kafka://127.0.0.1:1/x');
  expect(code).toBe(1);
  expect(printed.join()).toContain('No broker answers at 127.0.0.1:1');
});

it('logs in by PLAIN and SCRAM, and not with a wrong password', async () => {
  const broker = await startLocalBroker(process.env);
  try {
    for (const mechanism of ['plain', 'scram-sha-256', 'scram-sha-512'] as const) {
      const settings = {
        ...settingsFor([broker.saslAddress]),
        sasl: { mechanism, ...saslUser },
      };
      const kafka = createKafka(settings);
      const admin = await kafka.openTopics();
      await admin.create([{ topic: mechanism, partitions: 1, replication: 1, settings: {} }]);
      await admin.close();
      const producing = kafka.openProducing();
      const record = { topic: mechanism, partition: 0, key: 'k', value: 'v', headers: { a: 'b' } };
      await expect
        .poll(() =>
          producing.send([record]).then(
            () => true,
            () => false,
          ),
        )
        .toBe(true);
      await producing.close();
      expect(await readAll(kafka, mechanism)).toMatchObject([{ value: 'v', headers: { a: 'b' } }]);
      const sasl = { ...settings.sasl, password: 'wrong' };
      await expect(createKafka({ ...settings, sasl }).openTopics()).rejects.toThrow();
    }
  } finally {
    await broker.stop();
  }
});
