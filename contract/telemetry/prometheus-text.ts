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

/** An integer of 10^-digits as a decimal number, exactly: `0.0123`. */
export function decimalText(amount: bigint, digits: number): string {
  const sign = amount < 0n ? '-' : '';
  const text = `${amount < 0n ? -amount : amount}`.padStart(digits + 1, '0');
  const whole = text.slice(0, text.length - digits);
  const fraction = text.slice(text.length - digits).replace(/0+$/, '');
  return fraction === '' ? `${sign}${whole}` : `${sign}${whole}.${fraction}`;
}

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '"': '\\"', '\n': '\\n' };

function escaped(value: string): string {
  return value.replace(/[\\"\n]/g, (character) => escapes[character] ?? character);
}
