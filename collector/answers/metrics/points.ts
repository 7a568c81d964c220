/** Rows as points of a metric: those whose attributes are equal are summed. Pure. */
import type {
  Attributes,
  HistogramPoint,
  MetricPoint,
} from '@pi-ledger/contract/telemetry/counters';
import type { AttributeName, MetricDefinition } from '@pi-ledger/contract/telemetry/metrics';
import { providerName } from '@pi-ledger/contract/telemetry/providers';
import { inTurns } from '../../timers/in-turns.ts';
import type { SumRow } from '../../views/views.ts';

/** What a row says of all attributes; empty: nothing. A metric takes those that are its own. */
export type Named = Partial<Record<AttributeName | 'sender', string>>;

export interface Counted {
  readonly named: Named;
  readonly amount: bigint;
}

export interface Measured {
  readonly named: Named;
  readonly histogram: HistogramPoint;
}

export function placeOf({ dimensions: { project = '', host = '', user } }: SumRow): Named {
  const place = { 'pi.project': project, 'pi.host.name': host };
  return user === undefined ? place : { ...place, sender: user };
}

export function modelOf(row: SumRow): Named {
  const { provider = '', model = '' } = row.dimensions;
  return {
    ...placeOf(row),
    'gen_ai.provider.name': providerName(provider),
    'gen_ai.request.model': model,
  };
}

/** What each row gives, which may be nothing, made when its turn has come. */
export function* each<Row, Given>(
  rows: readonly Row[],
  give: (row: Row) => readonly Given[],
): Generator<readonly Given[]> {
  for (const row of rows) yield give(row);
}

export function isSome({ amount }: Counted): boolean {
  return amount > 0n;
}

export function counterPoints(
  metric: MetricDefinition,
  rows: Iterable<readonly Counted[]>,
): Promise<readonly MetricPoint[]> {
  return grouped(
    metric,
    rows,
    ({ amount }) => ({ amount }),
    (one, { amount }) => ({
      amount: one.amount + amount,
    }),
  );
}

/** It is for few rows: they are grouped in one turn. */
export function gaugePoints(
  metric: MetricDefinition,
  rows: readonly Counted[],
): Promise<readonly MetricPoint[]> {
  return grouped(
    metric,
    [rows],
    ({ amount }) => ({ amount }),
    (one, other) => (other.amount > one.amount ? other : one),
  );
}

/** The rows' bounds are equal. Those that count nothing are no points. */
export function histogramPoints(
  metric: MetricDefinition,
  rows: Iterable<readonly Measured[]>,
): Promise<readonly MetricPoint[]> {
  return grouped(
    metric,
    rows,
    ({ histogram }) => (histogram.counts.some((count) => count !== 0n) ? { histogram } : null),
    (one, { histogram }) => ({ histogram: added(one.histogram, histogram) }),
  );
}

function added(one: HistogramPoint, other: HistogramPoint): HistogramPoint {
  return {
    bounds: one.bounds,
    counts: one.counts.map((count, index) => count + (other.counts[index] ?? 0n)),
    sum: one.sum + other.sum,
  };
}

/** `valueIn`: null for what is no point. */
async function grouped<Row extends { readonly named: Named }, Value extends object>(
  metric: MetricDefinition,
  rows: Iterable<readonly Row[]>,
  valueIn: (row: Row) => Value | null,
  add: (sum: Value, value: Value) => Value,
): Promise<(Value & Pick<MetricPoint, 'attributes' | 'sender'>)[]> {
  const groups = new Map<string, Value & Pick<MetricPoint, 'attributes' | 'sender'>>();
  function count(row: Row): void {
    const value = valueIn(row);
    if (value === null) return;
    const attributes = attributesOf(metric, row.named);
    const { sender } = row.named;
    const key = JSON.stringify([attributes, sender]);
    const known = groups.get(key);
    if (known !== undefined) groups.set(key, { ...known, ...add(known, value) });
    else groups.set(key, { attributes, ...(sender === undefined ? {} : { sender }), ...value });
  }
  await inTurns(rows, (given) => {
    for (const row of given) count(row);
  });
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
