/** Readings of counters as tests compare them. */
import type { CounterReading, HistogramPoint } from '@pi-ledger/contract/telemetry/counters';
import type { AttributeName } from '@pi-ledger/contract/telemetry/metrics';
import { createCounters } from '../../../../collector/answers/metrics/counters.ts';
import type { Ledger } from '../../../../collector/roles/ledger.ts';

export async function readingIn(
  ledger: Ledger,
  users = false,
  now = () => Date.parse('2026-11-22T10:30:00.000Z'),
): Promise<CounterReading> {
  await ledger.subscription.catchUp();
  const reading = await createCounters(ledger.views, { users, now }).read();
  if (reading === null) throw new Error('Nothing counts yet.');
  return reading;
}

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

/** Like amounts; each key has one. */
export function histogramsOf(
  { metrics }: CounterReading,
  name: string,
  ...by: readonly AttributeName[]
): Record<string, HistogramPoint> {
  const points = metrics.find(({ metric }) => metric.name === name)?.points ?? [];
  return Object.fromEntries(
    points.map((point) => {
      if ('amount' in point) throw new Error(`${name} is no histogram.`);
      return [by.map((each) => point.attributes[each] ?? '').join(), point.histogram];
    }),
  );
}
