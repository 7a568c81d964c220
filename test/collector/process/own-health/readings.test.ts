import { expect, it } from 'vitest';
import type { FullHealth } from '../../../../collector/answers/health/route.ts';
import {
  collectorReadings,
  gatewayReadings,
} from '../../../../collector/process/own-health/readings.ts';
import { producerViews } from './producer-views.ts';

const nowMs = Date.parse('2026-05-01T12:00:00Z');

const health: FullHealth = {
  ...{ ready: true, role: 'leader', version: '1', storeId: 's', problems: [], warnings: [] },
  views: [
    { projection: 'sessions', position: 90, head: 100, setAside: { count: 2, events: [] } },
    { projection: 'timings', position: 100, head: 100, setAside: { count: 0, events: [] } },
  ],
  subscribers: [],
  startedAt: '2026-11-22T09:00:00.000Z',
  store: { kind: 'sqlite', bytes: 4_096 },
};

function reading(options: { health?: FullHealth; dropped?: readonly number[] } = {}) {
  const errors: unknown[] = [];
  const read = collectorReadings({
    views: producerViews(options.dropped ?? []),
    spoolDirectory: '/nowhere/at/all',
    now: () => nowMs,
    readHealth: async () => options.health ?? health,
    deadLetters: () => ({ count: 3, isFull: false, notKept: 1 }),
    onError: (error) => errors.push(error),
  });
  const valuesOf = async (key: string) =>
    (await read()).filter((each) => each.key === key).map(({ value }) => value);
  return { read, valuesOf, errors };
}

it('the lag of each view, and what it lacks', async () => {
  const { read } = reading();
  expect(await read()).toEqual(
    expect.arrayContaining([
      { key: 'viewLag', value: 10, attributes: { 'pi.ledger.view': 'sessions' } },
      { key: 'viewLag', value: 0, attributes: { 'pi.ledger.view': 'timings' } },
      { key: 'viewSetAside', value: 2, attributes: { 'pi.ledger.view': 'sessions' } },
    ]),
  );
});

it('what exporters lost, by reason', async () => {
  const losses = { rejected: 2, refused: 3, message: 'too old' };
  const subscriber = { name: 'otlp-traces', position: 90, head: 100, failure: null };
  const { read } = reading({
    health: { ...health, subscribers: [{ ...subscriber, passedOver: 4, losses }] },
  });
  const lost = (await read()).filter(({ key }) => key === 'subscriberLost');
  const of = (reason: string) => ({
    ...{ 'pi.ledger.subscriber': 'otlp-traces', 'pi.ledger.reason': reason },
  });
  expect(lost).toEqual([
    { key: 'subscriberLost', value: 4, attributes: of('passedOver') },
    { key: 'subscriberLost', value: 2, attributes: of('rejected') },
    { key: 'subscriberLost', value: 3, attributes: of('refused') },
  ]);
});

it('who leads says so and counts dead letters; who stands by has not counted them', async () => {
  const leader = reading();
  expect(await leader.valuesOf('leader')).toEqual([1]);
  expect(await leader.valuesOf('deadLetters')).toEqual([3]);
  expect(await leader.valuesOf('deadLettersLost')).toEqual([1]);
  const standby = reading({ health: { ...health, role: 'standby' } });
  expect(await standby.valuesOf('leader')).toEqual([0]);
  expect(await standby.valuesOf('deadLetters')).toEqual([]);
  expect(await standby.valuesOf('viewLag')).toEqual([10, 0]);
});

it('drops of all producers by reason, page by page', async () => {
  const { valuesOf } = reading({ dropped: Array.from({ length: 1_100 }, () => 2) });
  expect(await valuesOf('producersDropped')).toEqual([2_200, 0, 0, 0]);
});

it('what cannot be read is left out and told; the rest is there', async () => {
  const { read, errors } = reading();
  const broken = collectorReadings({
    views: {
      ...producerViews([]),
      find: () => Promise.reject(new Error('the store is gone')),
    },
    spoolDirectory: '/nowhere/at/all',
    now: () => nowMs,
    readHealth: async () => health,
    deadLetters: () => ({ count: 0, isFull: false, notKept: 0 }),
    onError: (error) => errors.push(error),
  });
  const keys = new Set((await broken()).map(({ key }) => key));
  expect(keys.has('producersDropped')).toBe(false);
  expect(keys.has('viewLag')).toBe(true);
  expect(errors).toEqual([new Error('the store is gone')]);
  expect(new Set((await read()).map(({ key }) => key)).has('producersDropped')).toBe(true);
});

it('whether it can do its work, of a gateway nothing else', async () => {
  const stuck: FullHealth = { ...health, ready: false, role: 'gateway', problems: ['no brokers'] };
  const read = gatewayReadings({
    readHealth: async () => stuck,
    onError: (error) => expect.unreachable(String(error)),
  });
  expect(await read()).toEqual([{ key: 'ready', value: 0 }]);
  expect(await reading().valuesOf('ready')).toEqual([1]);
  expect(await reading({ health: stuck }).valuesOf('ready')).toEqual([0]);
});
