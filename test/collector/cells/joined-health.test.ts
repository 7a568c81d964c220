import { expect, it } from 'vitest';
import { joinHealth } from '../../../collector/cells/joined-health.ts';
import { createIntake } from '../../../collector/ingest/kafka/intake.ts';

it('tells once how taking in fares, also where the worker leads no cell', async () => {
  const intake = createIntake();
  const readHealth = joinHealth(
    [0, 1].map(() => ({
      store: { right: { isHeld: () => false } },
      readHealth: async () => ({ warnings: [], problems: [], views: [], subscribers: [] }),
    })) as unknown as Parameters<typeof joinHealth>[0],
    intake,
  );
  expect((await readHealth()).warnings).toEqual([]);
  intake.failed('workers', new Error('no broker answers'));
  intake.failed('workers.claims', new Error('no broker answers'));
  intake.lost({ topic: 'events', partition: 0, records: 2 });
  intake.lost({ topic: 'events', partition: 1, records: 3 });
  expect((await readHealth()).warnings).toEqual([
    'Taking in from Kafka fails: no broker answers',
    expect.stringContaining('Kafka deleted 5 records of the topic events'),
  ]);
  intake.done('workers');
  intake.done('workers.claims');
  expect((await readHealth()).warnings).toEqual([
    expect.stringContaining('Kafka deleted 5 records'),
  ]);
});
