import { expect, it } from 'vitest';
import { unconfirmedPartitions } from '../../../../collector/ingest/kafka/unconfirmed.ts';

const sent = [0, 1, 1, 2].map((partition) => ({ topic: 'events', partition }));
const confirmed = (partition: number, errorCode = 0) => ({
  ...{ topicName: 'events', partition, errorCode },
});

it('names the partitions that no broker confirmed', () => {
  expect(unconfirmedPartitions(sent, [confirmed(0), confirmed(1), confirmed(2)])).toEqual([]);
  // A partition that moved to a broker that had answered before is left out by KafkaJS.
  expect(unconfirmedPartitions(sent, [confirmed(0), confirmed(2)])).toEqual(['events/1']);
  expect(unconfirmedPartitions(sent, [confirmed(0), confirmed(1, 6), confirmed(2)])).toEqual([
    'events/1',
  ]);
});
