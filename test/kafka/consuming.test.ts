/** A consumer whose broker is killed, or whose connections end. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ConsumeOptions, Consuming } from '../../collector/ingest/kafka/kafka.ts';
import { createKafka } from '../../collector/ingest/kafka/kafkajs.ts';
import { topicsOf } from '../../collector/ingest/kafka/records.ts';
import { type LocalBroker, startLocalBroker } from '../services/kafka/local-broker.ts';
import { createTopics, settingsFor } from './support.ts';

let broker: LocalBroker;

beforeAll(async () => {
  broker = await startLocalBroker(process.env);
});
afterAll(() => broker.stop());

/** Longer than this lane waits for anything: a consumer that waits for it fails the test. */
const sessionMs = 20 * 60_000;

it.each([
  ['the broker was killed', () => restarted()],
  ['its connections were cut', async () => broker.proxy.cut()],
])('goes on without waiting for its own former session after %s', async (_, harm) => {
  const settings = settingsFor([broker.proxiedAddress]);
  await createTopics(settings);
  const { events: topic } = topicsOf(settings);
  const kafka = createKafka(settings);
  const producing = kafka.openProducing();
  const heard = new Map<string, () => void>();
  const hears = (value: string): Promise<void> =>
    new Promise((resolve) => heard.set(value, resolve));
  const handle: ConsumeOptions['handle'] = async (records) => {
    for (const { value } of records) heard.get(value)?.();
  };
  const send = (value: string) =>
    producing.send([{ topic, partition: 0, key: 'a-session', value, headers: {} }]);
  const consuming: Consuming = kafka.startConsuming({
    ...{ group: settings.topicPrefix, topics: [topic], sessionMs, handle },
    // Connections that ended are errors here.
    onError: () => undefined,
  });
  try {
    const first = hears('before');
    await send('before');
    await first;
    await harm();
    const second = hears('after');
    await expect
      .poll(() =>
        send('after').then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
    await second;
  } finally {
    await consuming.stop();
    await producing.close();
  }
});

async function restarted(): Promise<void> {
  await broker.kill();
  await broker.restart();
}
