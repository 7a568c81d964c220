/** Samples as Prometheus' text format and OpenMetrics write them, the same in both. */
import type { Attributes } from './counters.ts';
import { prometheusLabel } from './prometheus-names.ts';

/** `name{label="value",...}`; the labels in the order of the attributes. */
export function seriesText(name: string, attributes: Attributes): string {
  const labels = Object.entries(attributes).map(
    ([attribute, value]) => `${prometheusLabel(attribute)}="${escaped(value)}"`,
  );
  return labels.length === 0 ? name : `${name}{${labels.join(',')}}`;
}

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '"': '\\"', '\n': '\\n' };

function escaped(value: string): string {
  return value.replace(/[\\"\n]/g, (character) => escapes[character] ?? character);
}
