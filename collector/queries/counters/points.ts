/** Rows as points of a metric: those whose attributes are equal are summed. Pure. */
import type { Attributes, HistogramPoint, Point } from '@pi-ledger/contract/telemetry/counters';
import type { AttributeName, MetricDefinition } from '@pi-ledger/contract/telemetry/metrics';
import { providerName } from '@pi-ledger/contract/telemetry/providers';
import type { SumRow } from '../../views/views.ts';

/** What a row says of all attributes; empty: nothing. A metric takes those that are its own. */
export type Named = Partial<Record<AttributeName, string>>;

export interface Counted {
  readonly named: Named;
  readonly amount: bigint;
}

export interface Measured {
  readonly named: Named;
  readonly histogram: HistogramPoint;
}

export function placeOf({ dimensions: { project = '', host = '' } }: SumRow): Named {
  return { 'pi.project': project, 'pi.host.name': host };
}

export function modelOf(row: SumRow): Named {
  const { provider = '', model = '' } = row.dimensions;
  return {
    ...placeOf(row),
    'gen_ai.provider.name': providerName(provider),
    'gen_ai.request.model': model,
  };
}

export function isSome({ amount }: Counted): boolean {
  return amount > 0n;
}

export function counterPoints(metric: MetricDefinition, rows: readonly Counted[]): Point[] {
  return grouped(metric, rows).map(({ attributes, group }) => ({
    attributes,
    amount: group.reduce((sum, { amount }) => sum + amount, 0n),
  }));
}

export function gaugePoints(metric: MetricDefinition, rows: readonly Counted[]): Point[] {
  return grouped(metric, rows).map(({ attributes, group }) => ({
    attributes,
    amount: group.map(({ amount }) => amount).reduce(higher),
  }));
}

function higher(one: bigint, other: bigint): bigint {
  return other > one ? other : one;
}

/** The rows' bounds are equal. Those that count nothing are no points. */
export function histogramPoints(metric: MetricDefinition, rows: readonly Measured[]): Point[] {
  const filled = rows.filter(({ histogram }) => histogram.counts.some((count) => count !== 0n));
  return grouped(metric, filled).map(({ attributes, group }) => ({
    attributes,
    histogram: group.map(({ histogram }) => histogram).reduce(added),
  }));
}

function added(one: HistogramPoint, other: HistogramPoint): HistogramPoint {
  return {
    bounds: one.bounds,
    counts: one.counts.map((count, index) => count + (other.counts[index] ?? 0n)),
    sum: one.sum + other.sum,
  };
}

interface Group<Row> {
  readonly attributes: Attributes;
  readonly group: Row[];
}

function grouped<Row extends { readonly named: Named }>(
  metric: MetricDefinition,
  rows: readonly Row[],
): readonly Group<Row>[] {
  const groups = new Map<string, Group<Row>>();
  for (const row of rows) {
    const attributes = attributesOf(metric, row.named);
    const key = JSON.stringify(attributes);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, { attributes, group: [row] });
    else known.group.push(row);
  }
  return [...groups.values()];
}

function attributesOf(metric: MetricDefinition, named: Named): Attributes {
  const attributes: Record<string, string> = {};
  for (const name of metric.attributes) {
    const value = named[name] ?? '';
    if (value !== '') attributes[name] = value;
  }
  return attributes;
}
