import type { CounterReading } from '@pi-ledger/contract/telemetry/counters';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createPushReader,
  createScrapeReader,
} from '../../../../collector/exporters/metrics/readers.ts';
import { createBackend, numbersIn, sums } from './support/backend.ts';
import { memoryCheckpoints } from './support/checkpoints.ts';
import { type Counting, counting } from './support/counting.ts';

const billings = ['metered', 'subscription', 'unknown'] as const;

/** Adds to a series of two metrics. */
function spend(given: Counting, series: number): void {
  const project = { 'pi.project': `p${series}` };
  const billing = billings[series % 3] ?? 'metered';
  given.add('cost', { ...project, 'pi.billing': billing }, BigInt(series + 1));
  given.observe('toolDuration', project, series % 4);
}

/** A collector, its store and who receives its metrics. What is done here can be done any time. */
function world(seriesMax: number) {
  const given = counting();
  given.declare('cost', 'toolDuration');
  const backend = createBackend();
  let isStoreBroken = false;
  const checkpoints = memoryCheckpoints(() => {
    if (isStoreBroken) throw new Error('The store fails.');
  });
  let nowMs = 1_000;
  let folds = 1;
  const start = () =>
    createPushReader({
      counters: { read: async () => given.reading() },
      checkpoints,
      now: () => (nowMs += 7),
      limits: { seriesMax },
    });
  let reader = start();

  async function arrive() {
    const cycle = await reader.next();
    if (cycle === null) throw new Error('There are no counters.');
    backend.receive(cycle.exposition);
    return cycle;
  }

  const steps = {
    restart: async () => {
      reader = start();
    },
    'fold anew': async () => {
      folds += 1;
      given.fold(String(folds));
    },
    export: async () => reader.arrived(await arrive()),
    'export, and not be told that it has arrived': async () => void (await arrive()),
    'export to nobody': async () => void (await reader.next()),
    'export while the store fails': async () => {
      isStoreBroken = true;
      const cycle = await reader.next().catch(() => null);
      isStoreBroken = false;
      if (cycle !== null) backend.receive(cycle.exposition);
    },
  };
  return { given, backend, steps, folds: () => folds, arrive };
}

type Step = keyof ReturnType<typeof world>['steps'];
const stepNames = Object.keys(world(1).steps) as Step[];

describe('metrics that are pushed', () => {
  it.each([{ seriesMax: 2_000 }, { seriesMax: 5 }])(
    'never fall, begin at zero and add up, whatever happens (at most $seriesMax series)',
    async ({ seriesMax }) => {
      const step = fc.oneof(
        { weight: 2, arbitrary: fc.nat(30) },
        { weight: 1, arbitrary: fc.constant<Step>('export') },
        { weight: 2, arbitrary: fc.constantFrom(...stepNames) },
      );
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
          const { given, backend, steps: doing, arrive, folds } = world(seriesMax);
          for (const step of steps)
            if (typeof step === 'number') spend(given, step);
            else await doing[step]();
          await doing.export();
          const { exposition } = await arrive();
          expect(sums(exposition.metrics)).toEqual(sums(given.reading().metrics));
          expect(backend.identities()).toBeLessThanOrEqual(folds());
          for (const { metric, points } of exposition.metrics)
            if (metric.kind === 'counter') expect(points.length).toBeLessThanOrEqual(seriesMax + 3);
        }),
        { numRuns: 400 },
      );
    },
  );

  it('show what there is at once, what comes later from zero', async () => {
    const { given, steps, arrive } = world(2_000);
    spend(given, 1);
    const first = await arrive();
    expect(numbersIn(first.exposition, 'pi.cost.usd')).toEqual({ p1: [2n] });
    spend(given, 1);
    spend(given, 4);
    const zero = { p1: [4n], p4: [0n] };
    for (const failing of ['export to nobody', 'restart', 'export to nobody'] as const) {
      await steps[failing]();
      const { exposition } = await arrive();
      expect(numbersIn(exposition, 'pi.cost.usd')).toEqual(zero);
      const durations = numbersIn(exposition, 'gen_ai.execute_tool.duration');
      expect(durations.p4).toEqual([0n, 0n, 0n, 0n, 0n]);
    }
    await steps.export();
    expect(numbersIn((await arrive()).exposition, 'pi.cost.usd')).toEqual({ p1: [4n], p4: [5n] });
  });

  it('are a new identity once the counters are folded anew, also lower', async () => {
    const { given, backend, steps, arrive } = world(2_000);
    spend(given, 1);
    spend(given, 1);
    const before = await arrive();
    await steps['fold anew']();
    spend(given, 1);
    const { exposition } = await arrive();
    expect(numbersIn(exposition, 'pi.cost.usd')).toEqual({ p1: [2n] });
    expect(exposition.startMs).toBeGreaterThan(before.exposition.startMs);
    expect(backend.identities()).toBe(2);
  });

  it('are a new identity where a series is called otherwise, with its history', async () => {
    const given = counting();
    spend(given, 1);
    const checkpoints = memoryCheckpoints();
    let rename = (reading: CounterReading): CounterReading => reading;
    const reader = createPushReader({
      counters: { read: async () => rename(given.reading()) },
      checkpoints,
      now: () => 1_000,
    });
    const first = await reader.next();
    rename = ({ generation, metrics }) => ({
      generation,
      metrics: metrics.map(({ metric, points }) => ({
        metric,
        points: points.map((point) => ({
          ...point,
          attributes: { ...point.attributes, 'pi.user': 'ann' },
        })),
      })),
    });
    const renamed = await reader.next();
    expect(renamed?.exposition.startMs).toBe(1_001);
    expect(first?.exposition.startMs).toBe(1_000);
    if (renamed === null) throw new Error('no counters');
    expect(numbersIn(renamed.exposition, 'pi.cost.usd')).toEqual({ p1: [2n] });
  });

  it('show the history of a metric that a newer program has, and no zero', async () => {
    const given = counting();
    spend(given, 1);
    const reader = createPushReader({
      counters: { read: async () => given.reading() },
      checkpoints: memoryCheckpoints(),
      now: () => 1_000,
    });
    await reader.next();
    given.add('records', { 'pi.project': 'p1' }, 7n);
    const exposition = (await reader.next())?.exposition;
    if (exposition === undefined) throw new Error('no counters');
    expect(numbersIn(exposition, 'pi.usage.records')).toEqual({ p1: [7n] });
    expect(exposition.startMs).toBe(1_000);
  });

  it('of 10,000 projects stay within the limit, say so and still add up', async () => {
    const given = counting();
    for (let series = 0; series < 10_000; series++) spend(given, series);
    const reader = createPushReader({
      counters: { read: async () => given.reading() },
      checkpoints: memoryCheckpoints(),
      now: () => 1_000,
    });
    const cycle = await reader.next();
    const metrics = cycle?.exposition.metrics ?? [];
    const points = (name: string) =>
      metrics.find(({ metric }) => metric.name === name)?.points ?? [];
    expect(points('pi.cost.usd')).toHaveLength(3_003);
    expect(points('gen_ai.execute_tool.duration')).toHaveLength(3_001);
    expect(points('pi.cost.usd').map(({ attributes }) => attributes)).toContainEqual({
      'pi.billing': 'subscription',
      'otel.metric.overflow': 'true',
    });
    expect(points('pi.metrics.hidden_series')).toEqual([{ attributes: {}, amount: 14_000n }]);
    expect(sums(metrics)).toEqual(sums(given.reading().metrics));
  });

  it('of a gauge are the highest where there are too many', async () => {
    const given = counting();
    for (const [project, amount] of [3n, 9n, 5n, 1n, 7n].entries())
      given.add('utilizationMax', { 'pi.project': `p${project}` }, amount);
    const reader = createPushReader({
      counters: { read: async () => given.reading() },
      checkpoints: memoryCheckpoints(),
      now: () => 1_000,
      limits: { seriesMax: 2 },
    });
    const cycle = await reader.next();
    expect(cycle?.exposition.metrics[0]?.points).toEqual([
      { attributes: { 'pi.project': 'p1' }, amount: 9n },
      { attributes: { 'pi.project': 'p4' }, amount: 7n },
      { attributes: { 'otel.metric.overflow': 'true' }, amount: 5n },
    ]);
  });
});

describe('metrics that are asked for', () => {
  function asked() {
    const given = counting();
    given.declare('cost', 'toolDuration');
    const clock = { nowMs: 1_000_000 };
    const options = {
      counters: { read: async () => given.reading() },
      checkpoints: memoryCheckpoints(),
      now: () => clock.nowMs,
    };
    const costs = async (reader: ReturnType<typeof createScrapeReader>) => {
      const exposition = await reader.next();
      return exposition === null ? null : numbersIn(exposition, 'pi.cost.usd');
    };
    return { given, clock, options, costs };
  }

  it('show a new series as zero for a minute, to everybody', async () => {
    const { given, clock, options, costs } = asked();
    const [one, other] = [createScrapeReader(options), createScrapeReader(options)];
    await one.next();
    spend(given, 0);
    expect(await costs(one)).toEqual({ p0: [0n] });
    clock.nowMs += 60_000;
    expect(await costs(other)).toEqual({ p0: [0n] });
    clock.nowMs += 10_000;
    expect(await costs(one)).toEqual({ p0: [1n] });
    expect(await costs(other)).toEqual({ p0: [1n] });
  });

  it('are the same for all who ask at once', async () => {
    const { given, options, costs } = asked();
    const readers = Array.from({ length: 5 }, () => createScrapeReader(options));
    await readers[0]?.next();
    spend(given, 0);
    const all = await Promise.all(readers.map(costs));
    expect(all).toEqual(all.map(() => ({ p0: [0n] })));
  });

  it('on standby are those that the leader shows, and nothing becomes a series', async () => {
    const { given, clock, options } = asked();
    const [leader, standby] = [createScrapeReader(options), createScrapeReader(options)];
    expect(await standby.asShown()).toBeNull();
    spend(given, 0);
    await leader.next();
    spend(given, 0);
    spend(given, 3);
    const shown = async () => {
      const exposition = await standby.asShown();
      return exposition === null ? null : numbersIn(exposition, 'pi.cost.usd');
    };
    expect(await shown()).toEqual({ p0: [2n] });
    await leader.next();
    expect(await shown()).toEqual({ p0: [2n], p3: [0n] });
    clock.nowMs += 70_000;
    expect(await shown()).toEqual({ p0: [2n], p3: [0n] });
    await leader.next();
    expect(await shown()).toEqual({ p0: [2n], p3: [4n] });
    given.fold('2');
    expect(await standby.asShown()).toBeNull();
  });
});
