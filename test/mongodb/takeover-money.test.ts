/**
 * A leader that sends metrics is killed, and a standby with a home of its own goes on: the series
 * are the same ones, none falls, and what they grow by is what was spent, to the nano-dollar.
 */
import { metrics } from '@pi-ledger/contract/telemetry/metrics';
import { afterEach, expect, it, vi } from 'vitest';
import {
  decodePoints,
  type ReceivedPoint,
} from '../collector/exporters/metrics/support/decode-points.ts';
import { openEndpoint } from '../collector/exporters/support/endpoint.ts';
import { attributed, turn } from '../collector/projections/support/given.ts';
import { temporaryDirectory } from '../collector/support/directory.ts';
import { laneDatabases } from '../services/mongodb/databases.ts';
import {
  becomes,
  type CollectorProcess,
  deliver,
  endCollector,
  startCollectorProcess,
} from './support/collectors.ts';

const databases = laneDatabases();
const directory = temporaryDirectory();
const started: CollectorProcess[] = [];
const at = '2026-11-22T10:00:00.000Z';

afterEach(async () => {
  vi.unstubAllEnvs();
  for (const collector of started.splice(0)) await endCollector(collector, 'SIGKILL');
});

async function start(store: string): Promise<CollectorProcess> {
  const collector = await startCollectorProcess(store, directory);
  started.push(collector);
  return collector;
}

const nanoOf = ({ value }: ReceivedPoint): number => Math.round(value * 1e9);

const nameOf = ({ metric }: ReceivedPoint): string => metric;

it('a takeover resets no series, and spends nothing', async () => {
  const endpoint = await openEndpoint();
  vi.stubEnv('OTEL_EXPORTER_OTLP_METRICS_ENDPOINT', `${endpoint.url}/v1/metrics`);
  vi.stubEnv('OTEL_METRIC_EXPORT_INTERVAL', '300');
  const store = databases.uri();
  const one = await start(store);
  await becomes(one, 'leader');
  const two = await start(store);
  await becomes(two, 'standby');
  /** By model, each value as it arrived. */
  const costs = (): Record<string, number[]> => {
    const series: Record<string, number[]> = {};
    for (const point of endpoint.requests.flatMap(({ body }) => decodePoints(body))) {
      if (point.metric !== metrics.cost.name) continue;
      const model = String(point.attributes['gen_ai.request.model']);
      series[model] = [...(series[model] ?? []), nanoOf(point)];
    }
    return series;
  };
  const newest = () =>
    Object.fromEntries(Object.entries(costs()).map(([model, values]) => [model, values.at(-1)]));
  const instances = () =>
    new Set(
      endpoint.requests
        .flatMap(({ body }) => decodePoints(body))
        .filter(({ metric }) => metric === metrics.cost.name)
        .map(({ resource }) => resource['service.instance.id']),
    );

  // The counters were shown before anything was spent.
  await expect
    .poll(() => endpoint.requests.flatMap(({ body }) => decodePoints(body)).map(nameOf))
    .toContain(metrics.hiddenSeries.name);
  const spent = (model: string, costNanoUsd: number) => turn(at, { model, costNanoUsd });
  await deliver(() => [one.url], [attributed(at), spent('first', 3_000_000_001)]);
  await expect.poll(newest).toEqual({ first: 3_000_000_001 });
  await deliver(() => [one.url], [spent('first', 10), spent('second', 2_000_000_007)]);
  await expect.poll(newest).toEqual({ first: 3_000_000_011, second: 2_000_000_007 });
  await endCollector(one, 'SIGKILL');
  await deliver(() => [two.url], [spent('second', 1_000_000_013), spent('third', 5_000_000_017)]);
  await expect
    .poll(newest)
    .toEqual({ first: 3_000_000_011, second: 3_000_000_020, third: 5_000_000_017 });

  expect(instances().size).toBe(1);
  for (const [model, values] of Object.entries(costs())) {
    expect(values).toEqual(values.toSorted((a, b) => a - b));
    // So what a series grew by is what was spent.
    expect([model, values[0]]).toEqual([model, 0]);
  }
});
