/** Readings of counters as tests compare them. */
import type { CounterReading } from '@pi-ledger/contract/telemetry/counters';
import type { AttributeName } from '@pi-ledger/contract/telemetry/metrics';

/** The amounts of a metric; the key joins the values of these attributes. */
export function amountsOf(
  { metrics }: CounterReading,
  name: string,
  ...by: readonly AttributeName[]
): Record<string, bigint> {
  const amounts: Record<string, bigint> = {};
  for (const point of metrics.find(({ metric }) => metric.name === name)?.points ?? []) {
    if (!('amount' in point)) throw new Error(`${name} is a histogram.`);
    const key = by.map((attribute) => point.attributes[attribute] ?? '').join();
    amounts[key] = (amounts[key] ?? 0n) + point.amount;
  }
  return amounts;
}
