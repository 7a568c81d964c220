import { expect, it } from 'vitest';
import { createForwarding } from '../../../../collector/ingest/kafka/forwarding.ts';
import { exampleEvents } from '../../support/events.ts';

it('asks the brokers each time whether they can be written', async () => {
  let isAway = false;
  const forwarding = createForwarding({
    producing: {
      send: async () => undefined,
      async partitionsOf() {
        if (isAway) throw new Error('connect ECONNREFUSED');
        return 1;
      },
      close: async () => undefined,
    },
    topics: { events: 'events', deadLetters: 'dead-letters', claims: 'claims' },
    partitionOf: () => 0,
    now: () => Date.parse('2026-11-27T00:00:00Z'),
    onError: () => undefined,
  });
  await forwarding.accept(exampleEvents(1, 1));
  expect(await forwarding.trouble()).toBeNull();
  isAway = true;
  expect(await forwarding.trouble()).toBe('Kafka cannot be written: connect ECONNREFUSED');
  isAway = false;
  expect(await forwarding.trouble()).toBeNull();
  await forwarding.close();
});
