/**
 * The report of a repricing: what was recorded beside what the catalogue makes of the same tokens. Pure.
 *
 * One row for each label and kind of billing, so that bills, list-price equivalents and what nobody knows are never added. The difference is over
 * the records that have both prices; how many have not stands beside it.
 */
import { repricedMeasures } from '../reprice/groups.ts';
import type { PriceList } from '../reprice/prices.ts';
import type { SumRow } from '../views/views.ts';
import { dimensionOf, isTime, labelOf, type ReportKind } from './usage-report.ts';

type MeasureName = (typeof repricedMeasures)[number];

/** Counts as numbers, money as decimal strings of 10^-9 USD. */
type RepricedFigures = Readonly<Record<Exclude<MeasureName, AmountName>, number> & Record<AmountName, string>>;
type AmountName = Extract<MeasureName, `${string}NanoUsd`>;

interface RepricedRow {
  /** Empty where it is unknown. */
  readonly label: string;
  readonly billing: string;
  readonly figures: RepricedFigures;
}

/** A model whose records the catalogue has no price for, or not for all. */
interface MissingPrice {
  readonly provider: string;
  readonly model: string;
  readonly records: number;
  readonly reason: MissingReason;
}

/** `part_missing`: a price for something that these records have, such as cache reads. */
type MissingReason = 'not_in_catalogue' | 'no_price' | 'zero_price' | 'unknown_tier' | 'part_missing';

export interface RepriceReport {
  readonly rows: readonly RepricedRow[];
  /** One for each kind of billing. */
  readonly totals: readonly Omit<RepricedRow, 'label'>[];
  readonly missing: readonly MissingPrice[];
}

/** Contract: `sums` are what `reprice` gave for `dimensionOf(by)`. Sorted in time, or by what was recorded under a label, then by label. */
export function makeRepriceReport(by: ReportKind, sums: readonly SumRow[], prices: PriceList): RepriceReport {
  const labels = Map.groupBy(sums, ({ dimensions }) => labelOf(by, dimensions[dimensionOf(by)] ?? ''));
  const sorted = [...labels].toSorted(
    ([left, of], [right, others]) => (isTime(by) ? 0 : compareAmounts(of, others)) || compare(left, right),
  );
  return {
    rows: sorted.flatMap(([label, of]) => byBilling(of).map((row) => ({ label, ...row }))),
    totals: byBilling(sums),
    missing: missingIn(sums, prices),
  };
}

const billings = ['metered', 'subscription', 'unknown'] as const;

function byBilling(sums: readonly SumRow[]): { readonly billing: string; readonly figures: RepricedFigures }[] {
  return billings.flatMap((billing) => {
    const own = sums.filter(({ dimensions }) => dimensions.billing === billing);
    return own.length === 0 ? [] : [{ billing, figures: toFigures(own) }];
  });
}

function toFigures(sums: readonly SumRow[]): RepricedFigures {
  const entries = repricedMeasures.map((name) => {
    const sum = total(sums, name);
    return [name, name.endsWith('NanoUsd') ? sum.toString() : Number(sum)];
  });
  return Object.fromEntries(entries) as RepricedFigures;
}

function missingIn(sums: readonly SumRow[], prices: PriceList): MissingPrice[] {
  const models = Map.groupBy(sums, ({ dimensions }) => JSON.stringify([dimensions.provider, dimensions.model]));
  const missing = [...models.values()].map((of) => {
    const { provider = '', model = '' } = of[0]?.dimensions ?? {};
    return { provider, model, records: Number(total(of, 'leftOutRecords')), reason: reasonFor(prices, provider, model) };
  });
  return missing.filter(({ records }) => records > 0).toSorted((a, b) => b.records - a.records || compare(a.model, b.model));
}

function reasonFor(prices: PriceList, provider: string, model: string): MissingReason {
  const price = prices.find(provider, model);
  if (price === null) return 'not_in_catalogue';
  return price.is === 'unpriced' ? price.reason : 'part_missing';
}

/** Only to sort: amounts of different billing are not one amount. */
function compareAmounts(left: readonly SumRow[], right: readonly SumRow[]): number {
  const [one, other] = [left, right].map((sums) => total(sums, 'recordedNanoUsd') + total(sums, 'repricedNanoUsd')) as [bigint, bigint];
  return one === other ? 0 : one > other ? -1 : 1;
}

function total(sums: readonly SumRow[], name: MeasureName): bigint {
  return sums.reduce((sum, { measures }) => sum + (measures[name] ?? 0n), 0n);
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
