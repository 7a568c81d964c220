/**
 * The rows of the rollup `totals` as points. Tokens that nobody reported, and costs that nobody
 * knows, are no points. Pure.
 */
import type { MetricPoint } from '@pi-ledger/contract/telemetry/counters';
import { metrics } from '@pi-ledger/contract/telemetry/metrics';
import type { SumRow } from '../../views/views.ts';
import { type Counted, counterPoints, each, isSome, modelOf, type Named } from './points.ts';

export type SpendKey =
  | 'inputTokens'
  | 'outputTokens'
  | 'cacheReadTokens'
  | 'cacheWriteTokens'
  | 'reasoningTokens'
  | 'cost'
  | 'records';

/** Each metric is computed when it is called for: there may be many rows. */
export function spendPoints(
  rows: readonly SumRow[],
  users: boolean,
): Record<SpendKey, () => Promise<readonly MetricPoint[]>> {
  const known = new Map<SumRow, Named>();
  const namedRow = (row: SumRow): NamedRow => {
    const named = known.get(row) ?? namedBy(row, users);
    known.set(row, named);
    return { row, named };
  };
  const counted = (key: SpendKey, give: (row: NamedRow) => readonly Counted[]) =>
    counterPoints(
      metrics[key],
      each(rows, (row) => give(namedRow(row))),
    );
  const tokens =
    (key: SpendKey, ...measures: readonly string[]) =>
    (): Promise<readonly MetricPoint[]> =>
      counted(key, (row) => [sumOf(row, measures)].filter(isSome));
  return {
    inputTokens: tokens('inputTokens', 'inputTokens', 'cacheReadTokens', 'cacheWriteTokens'),
    outputTokens: tokens('outputTokens', 'outputTokens'),
    cacheReadTokens: tokens('cacheReadTokens', 'cacheReadTokens'),
    cacheWriteTokens: tokens('cacheWriteTokens', 'cacheWriteTokens'),
    reasoningTokens: tokens('reasoningTokens', 'reasoningTokens'),
    cost: () => counted('cost', costOf),
    records: () => counted('records', (row) => recordsOf(row).filter(isSome)),
  };
}

interface NamedRow {
  readonly row: SumRow;
  readonly named: Named;
}

function sumOf({ row, named }: NamedRow, measures: readonly string[]): Counted {
  const amount = measures.reduce((sum, measure) => sum + amountIn(row, measure), 0n);
  return { named, amount };
}

/** What is priced at nothing costs $0; what has no price has no cost. */
function costOf({ row, named }: NamedRow): readonly Counted[] {
  const amount = amountIn(row, 'nanoUsd');
  const hasPrice = amount !== 0n || pricedRecordsIn(row) > 0n;
  return hasPrice ? [{ named: { ...named, 'pi.cost.source': sourceOf(row) }, amount }] : [];
}

/** A row without a source, or of several, still says how many of its records have no price. */
function recordsOf({ row, named }: NamedRow): readonly Counted[] {
  const of = (source: string, amount: bigint): Counted => ({
    named: { ...named, 'pi.cost.source': source },
    amount,
  });
  return [
    of(sourceOf(row), pricedRecordsIn(row)),
    of('unpriced', amountIn(row, 'unpricedRecords')),
    of('unreported', amountIn(row, 'unreportedRecords')),
  ];
}

function pricedRecordsIn(row: SumRow): bigint {
  const unpriced = amountIn(row, 'unpricedRecords') + amountIn(row, 'unreportedRecords');
  return amountIn(row, 'records') - unpriced;
}

/** Says where the price comes from; the text is empty when that is not known. */
function sourceOf({ dimensions }: SumRow): string {
  const { costSource = '' } = dimensions;
  return costSource === 'provider' || costSource === 'catalog' ? costSource : '';
}

function namedBy(row: SumRow, users: boolean): Named {
  const { billing = '', kind = '', user = '' } = row.dimensions;
  return {
    ...modelOf(row),
    'gen_ai.token.modality': 'unknown',
    'pi.billing': billing,
    'pi.spend.kind': kind,
    'pi.user': users ? user : '',
  };
}

function amountIn({ measures }: SumRow, measure: string): bigint {
  return measures[measure] ?? 0n;
}
