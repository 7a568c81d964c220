/** The servers of this lane alone: what is sent to the one is in its file, and in the other. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Otelcol, startOtelcol } from '../services/otelcol/otelcol.ts';
import {
  dataDirectory,
  type Prometheus,
  promtool,
  startPrometheus,
} from '../services/prometheus/prometheus.ts';
import { eventually } from '../support/eventually.ts';

let directory: string;
let otelcol: Otelcol;
let prometheus: Prometheus;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'pi-ledger-otel-'));
  otelcol = await startOtelcol(join(directory, 'otelcol'));
  prometheus = await startPrometheus(join(directory, 'prometheus'), {
    targets: [{ job: 'otelcol', address: otelcol.metricsAddress }],
  });
});

afterEach(async () => {
  await prometheus.stop();
  await otelcol.stop();
  rmSync(directory, { recursive: true, force: true });
});

test('a counter comes through under the name that Prometheus gives it', async () => {
  await send('v1/metrics', {
    resourceMetrics: [
      {
        resource: {
          attributes: [
            { key: 'service.namespace', value: { stringValue: 'pi-ledger' } },
            { key: 'service.name', value: { stringValue: 'agents' } },
            { key: 'service.instance.id', value: { stringValue: 'store-1' } },
          ],
        },
        scopeMetrics: [{ scope: { name: 'test' }, metrics: [cost(613.560123456)] }],
      },
    ],
  });
  await eventually(() => expect(otelcol.received().metrics).toHaveLength(1));
  expect(otelcol.received().metrics[0]).toMatchObject({
    name: 'pi.cost.usd',
    unit: '{USD}',
    kind: 'sum',
    temporality: 2,
    isMonotonic: true,
    points: [{ attributes: { 'pi.billing': 'metered' }, value: 613.560123456 }],
  });
  await expect.poll(() => prometheus.query('pi_cost_usd_total')).toHaveLength(1);
  const [sample] = await prometheus.query('pi_cost_usd_total');
  expect(sample).toMatchObject({
    labels: { pi_billing: 'metered', job: 'pi-ledger/agents', instance: 'store-1' },
    value: '613.560123456',
  });
});

test('who is gone for a while is back at the same address, with the same file', async () => {
  await send('v1/traces', span('5b8efff798038103d269b633813fc60c'));
  await eventually(() => expect(otelcol.received().spans).toHaveLength(1));
  await otelcol.stop();
  await expect(send('v1/traces', span('00000000000000000000000000000001'))).rejects.toThrow();
  await otelcol.start();
  await send('v1/traces', span('00000000000000000000000000000002'));
  await eventually(() =>
    expect(otelcol.received().spans.map(({ traceId }) => traceId)).toEqual([
      '5b8efff798038103d269b633813fc60c',
      '00000000000000000000000000000002',
    ]),
  );
});

test('what promtool makes of a text is in the Prometheus that starts on it', async () => {
  const text = join(directory, 'history.txt');
  writeFileSync(text, 'a_total{b="c"} 1 1700000000\na_total{b="c"} 2.5 1700003600\n# EOF\n');
  const own = join(directory, 'history');
  await promtool('tsdb', 'create-blocks-from', 'openmetrics', text, dataDirectory(own));
  const second = await startPrometheus(own, { targets: [] });
  expect(await second.samples('a_total')).toEqual([
    {
      labels: { __name__: 'a_total', b: 'c' },
      values: [
        [1700000000, '1'],
        [1700003600, '2.5'],
      ],
    },
  ]);
  await second.stop();
});

async function send(path: string, body: unknown): Promise<void> {
  const response = await fetch(`${otelcol.httpUrl}/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
}

function cost(asDouble: number): unknown {
  const nowNs = `${Date.now()}000000`;
  const attributes = [{ key: 'pi.billing', value: { stringValue: 'metered' } }];
  return {
    name: 'pi.cost.usd',
    unit: '{USD}',
    sum: {
      aggregationTemporality: 2,
      isMonotonic: true,
      dataPoints: [{ attributes, startTimeUnixNano: nowNs, timeUnixNano: nowNs, asDouble }],
    },
  };
}

function span(traceId: string): unknown {
  const times = { startTimeUnixNano: '1', endTimeUnixNano: '2' };
  const only = { traceId, spanId: 'eee19b7ec3c1b174', name: 'chat m', kind: 3, ...times };
  return { resourceSpans: [{ resource: {}, scopeSpans: [{ spans: [only] }] }] };
}
