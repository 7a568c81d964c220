/**
 * Each alert fires on a fixture, with its text, and none on healthy data: by promtool, which plays
 * the minutes that an alert waits, and by the queries that a live Prometheus answers.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { alerts } from '../../dashboards/grafana/alerts/all.ts';
import type { AlertRule } from '../../dashboards/grafana/alerts/rule.ts';
import { promtool, startPrometheus } from '../services/prometheus/prometheus.ts';
import { fixtures, healthy, newProject } from './support/alert-fixtures.ts';
import { prometheusWith } from './support/backfill.ts';
import {
  type AlertFixture,
  type Given,
  minutesOf,
  notationOf,
  valuesOf,
} from './support/fixture-series.ts';

const rules = fileURLToPath(new URL('../../deploy/observability/rules.yml', import.meta.url));

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'pi-ledger-alerts-'));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

it('there is a fixture for each alert, and none besides', () => {
  expect(Object.keys(fixtures)).toEqual(alerts.map(({ name }) => name));
});

it('promtool takes the rules', async () => {
  expect(await promtool('check', 'rules', rules)).toContain(`${alerts.length} rules found`);
});

describe.each(alerts.map((alert) => [alert.name, alert] as const))('%s', (name, alert) => {
  it('fires after its time, and says what is wrong; not at once', async () => {
    const fixture = fixtureOf(name);
    const alertname = `PiLedger${name}`;
    await playedByPromtool(fixture, [
      { eval_time: '0m', alertname, exp_alerts: [] },
      {
        eval_time: `${minutesOf(fixture)}m`,
        alertname,
        exp_alerts: [expected(alert, fixture)],
      },
    ]);
    expect(alert.forMinutes).toBeGreaterThanOrEqual(5);
  });
});

it('a project that is new costs too much, too', async () => {
  const costs = alerts.find(({ name }) => name === 'CostJumps');
  if (costs === undefined) throw new Error('no alert on costs');
  await playedByPromtool(newProject, [
    {
      eval_time: `${minutesOf(newProject)}m`,
      alertname: 'PiLedgerCostJumps',
      exp_alerts: [expected(costs, newProject)],
    },
  ]);
});

it('none fires while all is well', async () => {
  const times = Array.from({ length: 40 }, (_, index) => `${(index + 1) * 6}h`);
  await playedByPromtool(
    healthy,
    times.flatMap((eval_time) =>
      alerts.map(({ name }) => ({ eval_time, alertname: `PiLedger${name}`, exp_alerts: [] })),
    ),
  );
});

it('promtool would say if an alert fired that should not', async () => {
  const test = { eval_time: '30m', alertname: 'PiLedgerSeriesHidden', exp_alerts: [] };
  await expect(playedByPromtool(fixtureOf('SeriesHidden'), [test])).rejects.toThrow('FAILED');
});

it.each(alerts)('a live Prometheus answers the query of $name', async ({ name, expr }) => {
  expect(await answers(fixtureOf(name), [expr])).toEqual([1]);
});

it('a live Prometheus has no answer to any query while all is well', async () => {
  const queries = alerts.map(({ expr }) => expr);
  expect(await answers(healthy, queries)).toEqual(queries.map(() => 0));
});

it('a live Prometheus evaluates the file without an error', async () => {
  const own = join(directory, 'rules');
  const prometheus = await startPrometheus(own, { targets: [], rulePaths: [rules] });
  await expect
    .poll(async () => JSON.stringify(await prometheus.ask('rules')).split('"health":"ok"').length)
    .toBe(alerts.length + 1);
  await prometheus.stop();
});

interface AlertTest {
  readonly eval_time: string;
  readonly alertname: string;
  readonly exp_alerts: readonly unknown[];
}

/** Rejects with promtool's words if an expectation does not hold. JSON is YAML. */
async function playedByPromtool(
  { minutesASample, series }: Given,
  alert_rule_test: readonly AlertTest[],
): Promise<void> {
  const interval = `${minutesASample}m`;
  const input_series = series.map((one) => ({ series: one.series, values: notationOf(one) }));
  const tests = [{ interval, input_series, alert_rule_test }];
  const path = join(directory, 'test.json');
  writeFileSync(
    path,
    JSON.stringify({ rule_files: [rules], evaluation_interval: interval, tests }),
  );
  await promtool('test', 'rules', path);
}

function expected(alert: AlertRule, { says, of }: AlertFixture): unknown {
  return {
    exp_labels: { severity: alert.severity, ...of },
    exp_annotations: { summary: says, description: alert.description },
  };
}

function fixtureOf(name: string): AlertFixture {
  const fixture = fixtures[name];
  if (fixture === undefined) throw new Error(`There is no fixture for ${name}`);
  return fixture;
}

/** How many series each query gives, asked at the last sample. */
async function answers(given: Given, queries: readonly string[]): Promise<readonly number[]> {
  // The last sample is an hour or two old.
  const endS = Math.floor(Date.now() / 3_600_000 - 1) * 3_600;
  const own = mkdtempSync(join(directory, 'prometheus-'));
  const prometheus = await prometheusWith(own, samplesUntil(endS, given));
  const counts: number[] = [];
  for (const query of queries) {
    const { result } = parseVector(await prometheus.ask('query', { query, time: String(endS) }));
    counts.push(result.length);
  }
  await prometheus.stop();
  return counts;
}

function parseVector(data: unknown): { readonly result: readonly unknown[] } {
  if (typeof data !== 'object' || data === null || !('result' in data))
    throw new Error('no result');
  return { result: Array.isArray(data.result) ? data.result : [] };
}

function samplesUntil(endS: number, { minutesASample, series }: Given): string {
  const startS = endS - minutesOf({ minutesASample, series }) * 60;
  const timeOf = (sample: number) => startS + sample * minutesASample * 60;
  const lines = series.flatMap((one) =>
    valuesOf(one).map(
      (value, index) => `${one.series} ${value} ${timeOf((one.absent ?? 0) + index)}`,
    ),
  );
  return `${lines.join('\n')}\n# EOF\n`;
}
