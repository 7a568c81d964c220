/** PromQL of alerts, without a dashboard's variables. Names come from the tables of metrics. */
import type { AttributeName, MetricDefinition } from '@pi-ledger/contract/telemetry/metrics';
import { prometheusLabel, prometheusName } from '@pi-ledger/contract/telemetry/prometheus-names';

type Named = Pick<MetricDefinition, 'name' | 'unit' | 'kind'>;
type Where = { readonly [Name in AttributeName]?: string };

/** Every series of a counter or gauge with these values. */
export function seriesOf(metric: Named, where: Where = {}): string {
  const matchers = Object.entries(where).map(
    ([attribute, value]) => `${prometheusLabel(attribute)}="${value}"`,
  );
  const selected = matchers.length === 0 ? '' : `{${matchers.join(', ')}}`;
  return `${prometheusName(metric)}${selected}`;
}

/** By how much a counter grew in the window, by these attributes. */
export function grownBy(
  attributes: readonly AttributeName[],
  metric: Named,
  window: string,
  where: Where = {},
): string {
  return sumBy(attributes, `increase(${seriesOf(metric, where)}[${window}])`);
}

/** @param labels of Prometheus, besides */
export function sumBy(
  attributes: readonly AttributeName[],
  vector: string,
  labels: readonly string[] = [],
): string {
  return `sum by (${[...attributes.map(prometheusLabel), ...labels].join(', ')}) (${vector})`;
}
