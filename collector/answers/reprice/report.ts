/**
 * The report of a repricing: the recorded cost beside the catalogue's price for the same tokens.
 * Pure.
 *
 * One row for each label and kind of billing, so that bills, list-price equivalents and spend of
 * unknown billing are never added up. The difference covers the records that have both prices; the
 * number of the others stands beside it.
 */
import type { MissingPrice, RepricedFigures } from '@pi-ledger/contract/answers';
import { type Billing, billings } from '@pi-ledger/contract/billings';
import type { Grouping } from '@pi-ledger/contract/groupings';
import type { SumRow } from '../../views/views.ts';
import { exactCount } from '../spend/exact-count.ts';
import { isTime, labelsOf } from '../spend/grouping.ts';
import { repricedMeasures } from './groups.ts';
import type { PriceList } from './prices.ts';

type MeasureName = (typeof repricedMeasures)[number];

type Figures = Omit<RepricedFigures, 'billing'>;

interface RepricedRow {
  /** Each grouping has one, which is empty when it is not known. */
  readonly labels: readonly string[];
  readonly billing: Billing;
  readonly figures: Figures;
}

export interface RepriceReport {
  readonly rows: readonly RepricedRow[];
  /** One for each kind of billing. */
  readonly totals: readonly Omit<RepricedRow, 'labels'>[];
  readonly missing: readonly MissingPrice[];
}

/**
 * Contract: `sums` are the result of `reprice` for `dimensionsOf(by)`, with a dimension `tree`
 * where that is asked for. Rows are sorted by the first grouping, within it by the next: each by
 * time, or by amount and then label.
 */
export function makeRepriceReport(
  by: readonly Grouping[],
  sums: readonly SumRow[],
  prices: PriceList,
): RepriceReport {
  const labelled = sums.map((sum) => ({ labels: labelsOf(by, sum.dimensions), sum }));
  return {
    rows: rowsOf(by, [], labelled),
    totals: byBilling(sums),
    missing: missingIn(sums, prices),
  };
}

interface Labelled {
  readonly labels: readonly string[];
  readonly sum: SumRow;
}

/** `labels`: those of the groupings before. */
function rowsOf(
  by: readonly Grouping[],
  labels: readonly string[],
  labelled: readonly Labelled[],
): RepricedRow[] {
  const grouping = by[labels.length];
  if (grouping === undefined)
    return byBilling(labelled.map(({ sum }) => sum)).map((row) => ({ labels, ...row }));
  const groups = Map.groupBy(labelled, (each) => each.labels[labels.length] ?? '');
  const sorted = [...groups].toSorted(
    ([left, of], [right, others]) =>
      (isTime(grouping) ? 0 : compareAmounts(of, others)) || compare(left, right),
  );
  return sorted.flatMap(([label, of]) => rowsOf(by, [...labels, label], of));
}

function byBilling(
  sums: readonly SumRow[],
): { readonly billing: Billing; readonly figures: Figures }[] {
  return billings.flatMap((billing) => {
    const own = sums.filter(({ dimensions }) => dimensions.billing === billing);
    return own.length === 0 ? [] : [{ billing, figures: toFigures(own) }];
  });
}

function toFigures(sums: readonly SumRow[]): Figures {
  const entries = repricedMeasures.map((name) => {
    const sum = total(sums, name);
    return [name, name.endsWith('NanoUsd') ? sum.toString() : exactCount(sum)];
  });
  return Object.fromEntries(entries) as Figures;
}

function missingIn(sums: readonly SumRow[], prices: PriceList): MissingPrice[] {
  const models = Map.groupBy(sums, ({ dimensions }) =>
    JSON.stringify([dimensions.provider, dimensions.model]),
  );
  const missing = [...models.values()].map((of) => {
    const { provider = '', model = '' } = of[0]?.dimensions ?? {};
    return {
      provider,
      model,
      records: Number(total(of, 'leftOutRecords')),
      reason: reasonFor(prices, provider, model),
    };
  });
  return missing
    .filter(({ records }) => records > 0)
    .toSorted(
      (a, b) =>
        b.records - a.records || compare(a.model, b.model) || compare(a.provider, b.provider),
    );
}

function reasonFor(prices: PriceList, provider: string, model: string): MissingPrice['reason'] {
  const price = prices.find(provider, model);
  if (price === null) return 'not_in_catalogue';
  return price.is === 'unpriced' ? price.reason : 'part_missing';
}

/** For sorting only: amounts of different billing must not be added up. */
function compareAmounts(left: readonly Labelled[], right: readonly Labelled[]): number {
  const [one, other] = [amountOf(left), amountOf(right)];
  return one === other ? 0 : one > other ? -1 : 1;
}

function amountOf(labelled: readonly Labelled[]): bigint {
  const sums = labelled.map(({ sum }) => sum);
  return total(sums, 'recordedNanoUsd') + total(sums, 'repricedNanoUsd');
}

function total(sums: readonly SumRow[], name: MeasureName): bigint {
  return sums.reduce((sum, { measures }) => sum + (measures[name] ?? 0n), 0n);
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
