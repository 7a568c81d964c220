/** Who leads and who stands by both tell how they fare, each as an instance of its own. */
import { healthMetrics } from '@pi-ledger/contract/telemetry/health-metrics';
import { afterEach, expect, it, vi } from 'vitest';
import { decodePoints } from '../collector/exporters/metrics/support/decode-points.ts';
import { openEndpoint } from '../collector/exporters/support/endpoint.ts';
import { temporaryDirectory } from '../collector/support/directory.ts';
import { laneDatabases } from '../services/mongodb/databases.ts';
import {
  becomes,
  type CollectorProcess,
  endCollector,
  startCollectorProcess,
} from './support/collectors.ts';

const databases = laneDatabases();
const directory = temporaryDirectory();
const started: CollectorProcess[] = [];

afterEach(async () => {
  vi.unstubAllEnvs();
  for (const collector of started.splice(0)) await endCollector(collector, 'SIGKILL');
});

it('one leads, one stands by; when the leader ends, the other one says that it leads', async () => {
  const endpoint = await openEndpoint();
  vi.stubEnv('OTEL_EXPORTER_OTLP_METRICS_ENDPOINT', `${endpoint.url}/v1/metrics`);
  vi.stubEnv('OTEL_METRIC_EXPORT_INTERVAL', '300');
  const store = databases.uri();
  const one = await startCollectorProcess(store, directory);
  started.push(one);
  await becomes(one, 'leader');
  const two = await startCollectorProcess(store, directory);
  started.push(two);
  /** The newest value of each instance, in order. */
  const leading = () => {
    const points = endpoint.requests
      .flatMap(({ body }) => decodePoints(body))
      .filter(({ metric }) => metric === healthMetrics.leader.name);
    const newest = new Map(
      points.map(({ resource, value }) => [resource['service.instance.id'], value]),
    );
    return [...newest.values()];
  };
  await expect.poll(leading).toEqual([1, 0]);
  expect(await endCollector(one, 'SIGTERM')).toBe(0);
  await expect.poll(() => leading()[1]).toBe(1);
});
