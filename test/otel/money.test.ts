/**
 * The demo month, through the real chain: inside Prometheus there is the same money as in
 * `/v1/totals`, series by series, and as in `report`, since nothing in it was corrected later.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CounterRow } from '../../contract/answers/totals.ts';
import { type MetricDefinition, metrics } from '../../contract/telemetry/metrics.ts';
import { prometheusLabel, prometheusName } from '../../contract/telemetry/prometheus-names.ts';
import type { Labels } from '../services/prometheus/prometheus.ts';
import { eventually } from '../support/eventually.ts';
import { type Chain, fillWithDemoMonth, startChain } from './support/chain.ts';
import { labelText, linesOf } from './support/series.ts';
import { moneyIn, moneyOf, moneyReported, nanoOf, readTotals } from './support/totals.ts';

const agents = '{job="pi-ledger/agents"}';
const counters: readonly MetricDefinition[] = Object.values(metrics).filter(
  ({ kind }) => kind === 'counter',
);
const histograms: readonly MetricDefinition[] = Object.values(metrics).filter(
  ({ kind }) => kind === 'histogram',
);
/** Asked until it is there. */
let chain: Chain;
/** Also after scrapes that a busy machine did not answer in time; nothing changes meanwhile. */
const last = (series: string): string => `last_over_time(${series}[1h])`;

beforeAll(async () => {
  chain = await startChain();
  await fillWithDemoMonth(chain.ledger);
  await chain.ledger.start();
  await eventually(async () =>
    expect(await moneyIn(chain.prometheus, agents)).toEqual(
      moneyOf(await readTotals(chain.ledger)),
    ),
  );
});

afterAll(() => chain.close());

test('pi_cost_usd_total by billing sums to that of /v1/totals, to the nano-dollar', async () => {
  const expected = moneyOf(await readTotals(chain.ledger));
  expect(Object.keys(expected).sort()).toEqual(['metered', 'subscription']);
  expect(expected.metered).toBeGreaterThan(100_000_000_000n);
  await eventually(async () => expect(await moneyIn(chain.prometheus, agents)).toEqual(expected));
});

test.each(counters)('every series of $name has the amount of its row', async (metric) => {
  const { rows } = await readTotals(chain.ledger);
  const expected = rows.filter((row) => row.metric === metric.name).map(lineOfRow);
  expect(expected).not.toEqual([]);
  await eventually(async () => {
    const samples = await chain.prometheus.query(last(`${prometheusName(metric)}${agents}`));
    const found = samples.map(({ labels, value }) => `${labelText(labels)} ${nanoOf(value)}`);
    expect(found.sort()).toEqual(expected.sort());
  });
});

test.each(histograms)('every bucket of $name has the count of its row', async (metric) => {
  const { rows } = await readTotals(chain.ledger);
  const expected = rows.filter((row) => row.metric === metric.name).flatMap(bucketLines);
  expect(expected).not.toEqual([]);
  await eventually(async () => {
    const samples = await chain.prometheus.query(last(`${prometheusName(metric)}_bucket${agents}`));
    const found = samples.map(({ labels, value }) => `${labelText(labels)} ${value}`);
    expect(found.sort()).toEqual(expected.sort());
  });
});

test('the report says the same, to the nano-dollar', async () => {
  const { metered, subscription } = moneyOf(await readTotals(chain.ledger));
  expect(await moneyReported(chain.ledger)).toEqual({ metered, subscription });
});

test('the page /metrics, scraped, is what comes by OTLP: names, labels and values', async () => {
  const names = '__name__=~"(pi|gen_ai)_.*"';
  await eventually(async () => {
    const page = linesOf(
      await chain.prometheus.query(`{job="page",exported_job="pi-ledger/agents",${names}}`),
    );
    expect(page.length).toBeGreaterThan(500);
    expect(page).toEqual(
      linesOf(await chain.prometheus.query(`{job="pi-ledger/agents",${names}}`)),
    );
  });
});

test('bounds of buckets are written alike, whichever way they come', async () => {
  const boundsOf = async (selector: string): Promise<readonly (string | undefined)[]> => {
    const buckets = `{${selector},__name__=~"(pi|gen_ai)_.*_bucket"}`;
    const found = await chain.prometheus.query(`count by (le) (${buckets})`);
    return found.map(({ labels }) => labels.le).sort();
  };
  const expected = await boundsOf('job="pi-ledger/agents"');
  expect(expected).toContain('1.024e+06');
  expect(await boundsOf('job="page",exported_job="pi-ledger/agents"')).toEqual(expected);
});

function lineOfRow({ attributes, amount }: CounterRow): string {
  return `${labelText(labelsOf(attributes))} ${nanoOf(amount ?? '')}`;
}

/** Prometheus counts what is in a bucket and in all below. */
function bucketLines({ attributes, histogram }: CounterRow): readonly string[] {
  const { bounds = [], counts = [] } = histogram ?? {};
  let below = 0;
  return counts.map((count, index) => {
    below += count;
    const le = index < bounds.length ? String(bounds[index]) : '+Inf';
    return `${labelText({ ...labelsOf(attributes), le })} ${below}`;
  });
}

function labelsOf(attributes: CounterRow['attributes']): Labels {
  const labels = Object.entries(attributes).map(
    ([attribute, value]) => [prometheusLabel(attribute), value ?? ''] as const,
  );
  return Object.fromEntries(labels);
}
