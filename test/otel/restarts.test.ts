/**
 * A ledger that is stopped, killed, given other rules and taken over by another: within a series no
 * counter falls, and what is seen to grow is what was spent, to the nano-dollar.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLedger, type Ledger } from '../hosts/support/ledger/ledger.ts';
import { eventually } from '../support/eventually.ts';
import { type Chain, startChain } from './support/chain.ts';
import { answer, attribution, post } from './support/events.ts';
import { moneyIn, moneyOf, nanoOf, readTotals } from './support/totals.ts';

const rounds = 10;
/** After these rounds the rules change: `scratch` no longer counts, then it does again. */
const ignoredAfter = 3;
const countedAfter = 7;

let chain: Chain;
let next: Ledger | null = null;
/** As arrived, in order. */
const instances: string[] = [];

beforeAll(async () => {
  chain = await startChain({ env: { OTEL_METRIC_EXPORT_INTERVAL: '300' } });
});

afterAll(async () => {
  await next?.stop();
  await chain.close();
});

test('ten restarts, two changes of the rules and a takeover spend nothing', async () => {
  const { ledger, prometheus } = chain;
  await recordHistory(chain);
  await ledger.start();
  await arrives(ledger);
  let spent = 0n;
  for (let round = 0; round < rounds; round += 1) {
    spent += await spend(ledger, round);
    await (round % 2 === 0 ? ledger.stop() : ledger.kill());
    if (round === ignoredAfter) configure(ledger, [{ match: 'scratch', ignore: true }]);
    if (round === countedAfter) configure(ledger, []);
    await ledger.start();
    // What counts by other rules is history until it has been seen.
    if (round === ignoredAfter || round === countedAfter) await arrives(ledger);
  }
  await ledger.kill();
  next = await nextLedger(chain);
  await next.start();
  spent += await spend(next, rounds);

  expect(instances).toHaveLength(3);
  const sent = sentSeries(chain);
  expect(sent.length).toBeGreaterThan(rounds / 2);
  for (const values of sent) expect(values).toEqual(ascending(values));
  expect(growthOf(sent)).toBe(spent);

  const series = await prometheus.samples('pi_cost_usd_total{job="pi-ledger/agents"}');
  const scraped = series.map(({ values }) => values.map(([, value]) => nanoOf(value)));
  for (const values of scraped) expect(values).toEqual(ascending(values));
  const growth = growthOf(scraped);
  // A scrape that came too late for a series' zero misses what came after it; never the reverse.
  expect(growth).toBeLessThanOrEqual(spent);
  expect(growth).toBeGreaterThan(0n);
  expect(await prometheus.query('sum(resets(pi_cost_usd_total[1h]))')).toMatchObject([
    { value: '0' },
  ]);
});

/** Before anything is exported. The rules leave `scratch` out later. */
async function recordHistory({ ledger, machine }: Chain): Promise<void> {
  const env = { ...machine.env, OTEL_SDK_DISABLED: 'true' };
  const silent = await createLedger({ ...machine, env }, {}, ledger.home);
  await silent.start();
  await post(
    silent,
    attribution({ session: 'shop', project: 'shop' }),
    attribution({ session: 'scratch', project: 'scratch' }),
    answer({ session: 'shop', nanoUsd: 3_000_000_001, model: 'model-0' }),
    answer({ session: 'scratch', nanoUsd: 2_000_000_002, model: 'model-0' }),
  );
  await silent.stop();
  configure(ledger, []);
}

/** Every other round brings a series that was not there before. Nano-dollars. */
async function spend(on: Ledger, round: number): Promise<bigint> {
  const nanoUsd = 1_000_000_007 * (round + 1);
  const model = round % 2 === 0 ? 'model-0' : `model-${round}`;
  await post(on, answer({ session: 'shop', nanoUsd, model }));
  await arrives(on);
  return BigInt(nanoUsd);
}

/** Everything that this ledger counts is in Prometheus. */
async function arrives(on: Ledger): Promise<void> {
  await eventually(async () => {
    const expected = moneyOf(await readTotals(on));
    expect(expected.metered).toBeGreaterThan(3_000_000_000n);
    const costs = chain.otelcol.received().metrics.filter(({ name }) => name === 'pi.cost.usd');
    const instance = String(costs.at(-1)?.resource['service.instance.id']);
    expect(await moneyIn(chain.prometheus, `{instance="${instance}"}`)).toEqual(expected);
    if (instances.at(-1) !== instance) instances.push(instance);
  });
}

function configure(ledger: Ledger, projects: readonly object[]): void {
  const port = Number(new URL(ledger.url).port);
  writeFileSync(join(ledger.home, 'config.json'), JSON.stringify({ port, projects }));
}

/** Another collector, with a home of its own, on the same store. */
function nextLedger({ directory, ledger, machine }: Chain): Promise<Ledger> {
  const store = `sqlite:${join(ledger.home, 'ledger.db')}`;
  return createLedger(machine, { store }, join(directory, 'next'));
}

/** What the OpenTelemetry Collector was sent, in nano-dollars, series by series. */
function sentSeries({ otelcol }: Chain): readonly (readonly bigint[])[] {
  const series = new Map<string, bigint[]>();
  for (const { name, resource, points } of otelcol.received().metrics) {
    if (name !== 'pi.cost.usd') continue;
    for (const { attributes, value } of points) {
      const key = JSON.stringify([resource['service.instance.id'], attributes]);
      const values = series.get(key) ?? [];
      series.set(key, values);
      values.push(nanoOf(value.toFixed(12)));
    }
  }
  return [...series.values()];
}

function ascending(values: readonly bigint[]): readonly bigint[] {
  return values.toSorted((one, other) => (one < other ? -1 : one > other ? 1 : 0));
}

/** From the first sample of each to its last. */
function growthOf(series: readonly (readonly bigint[])[]): bigint {
  return series.reduce((sum, values) => sum + (values.at(-1) ?? 0n) - (values[0] ?? 0n), 0n);
}
