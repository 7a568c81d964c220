/**
 * Writes the tables of docs/observability.md from those that exporters use: `npm run
 * observability-docs`. A test compares the two.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { healthAttributeMeanings, healthMetrics } from '../../contract/telemetry/health-metrics.ts';
import { logAttributeMeanings, logs } from '../../contract/telemetry/logs.ts';
import {
  attributeMeanings,
  type MetricDefinition,
  metrics,
} from '../../contract/telemetry/metrics.ts';
import { previousMetrics } from '../../contract/telemetry/previous.ts';
import { prometheusLabel, prometheusName } from '../../contract/telemetry/prometheus-names.ts';
import { spanAttributeMeanings, spans } from '../../contract/telemetry/spans.ts';
import { alerts } from '../../dashboards/grafana/alerts/all.ts';
import { pages } from '../../dashboards/grafana/all.ts';
import { code, table, withPart } from './markdown.ts';

const path = fileURLToPath(new URL('../../docs/observability.md', import.meta.url));
const script = 'observability-docs';

const parts: Readonly<Record<string, () => string>> = {
  metrics: () => metricTable(Object.values(metrics)),
  attributes: () => attributeTable(attributeMeanings),
  'previous names': () => metricTable(Object.values(previousMetrics)),
  health: () => metricTable(Object.values(healthMetrics)),
  'attributes of health': () => attributeTable(healthAttributeMeanings),
  spans: spanTable,
  'attributes of spans': () => valueTable(spanAttributeMeanings),
  logs: logTable,
  'attributes of logs': () => valueTable(logAttributeMeanings),
  dashboards: dashboardList,
  alerts: alertTable,
};

export function currentPage(): string {
  return readFileSync(path, 'utf8');
}

/** The page with the tables of today. Throws if it has no place for one. */
export function writtenPage(): string {
  return Object.entries(parts).reduce(
    (text, [name, content]) => withPart(text, { name, script }, content()),
    currentPage(),
  );
}

type Metric = Pick<MetricDefinition, 'name' | 'unit' | 'kind' | 'description'> & {
  readonly attributes: readonly string[];
};

function metricTable(list: readonly Metric[]): string {
  return table([
    ['metric', 'in Prometheus', 'kind', 'unit', 'attributes', 'meaning'],
    ...list.map((metric) => [
      code(metric.name),
      code(samplesOf(metric)),
      metric.kind,
      code(metric.unit),
      metric.attributes.map(code).join(' '),
      withoutStop(metric.description),
    ]),
  ]);
}

function samplesOf(metric: Metric): string {
  const name = prometheusName(metric);
  return metric.kind === 'histogram' ? `${name}_{bucket,sum,count}` : name;
}

function attributeTable(meanings: Readonly<Record<string, string>>): string {
  return table([
    ['attribute', 'label in Prometheus', 'value'],
    ...Object.entries(meanings).map(([name, meaning]) => [
      code(name),
      code(prometheusLabel(name)),
      meaning,
    ]),
  ]);
}

function spanTable(): string {
  return table([
    ['span', 'kind', 'always', 'where the host says so', 'meaning'],
    ...Object.values(spans).map(({ name, kind, required, optional, description }) => [
      code(name),
      kind,
      required.map(code).join(' '),
      optional.map(code).join(' '),
      withoutStop(description),
    ]),
  ]);
}

function logTable(): string {
  return table([
    ['event name', 'severity', 'attributes', 'meaning'],
    ...Object.values(logs).map(({ name, severity, attributes, description }) => [
      code(name),
      severity,
      attributes.map(code).join(' '),
      withoutStop(description),
    ]),
  ]);
}

function valueTable(meanings: Readonly<Record<string, string>>): string {
  return table([
    ['attribute', 'value'],
    ...Object.entries(meanings).map(([name, meaning]) => [code(name), meaning]),
  ]);
}

function dashboardList(): string {
  return pages
    .map(
      ({ name, title, description }) =>
        `**${title}.** ${description}\n\n![Layout of ${title}](dashboards/${name}.svg)\n`,
    )
    .join('\n');
}

function alertTable(): string {
  return table([
    ['alert', 'severity', 'after', 'meaning'],
    ...alerts.map(({ name, severity, forMinutes, description }) => [
      code(`PiLedger${name}`),
      severity,
      `${forMinutes} min`,
      withoutStop(description),
    ]),
  ]);
}

function withoutStop(sentence: string): string {
  return sentence.replace(/\.$/, '');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(path, writtenPage());
