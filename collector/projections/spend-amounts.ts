/**
 * Amounts of spend as folds add them up: one for each measure of `spendMeasures`. Only this file
 * knows that they stand in that order. Pure.
 */
import { recordMeasures, type SpendMeasure, spendMeasures } from '@pi-ledger/contract/spend-shape';
import { type Amount, amountFromJson, amountToJson } from './amount.ts';

/** Each file asks once, while it is loaded. */
export function measureIndex(measure: SpendMeasure): number {
  return spendMeasures.indexOf(measure);
}

export const noAmounts: readonly Amount[] = spendMeasures.map(() => 0);

/** What is left out is zero. */
export function toAmounts(named: Readonly<Partial<Record<SpendMeasure, Amount>>>): Amount[] {
  return spendMeasures.map((name) => named[name] ?? 0);
}

export function namedAmounts(amounts: readonly Amount[]): Record<SpendMeasure, bigint> {
  return Object.fromEntries(
    spendMeasures.map((name, index) => [name, BigInt(amounts[index] ?? 0)]),
  ) as Record<SpendMeasure, bigint>;
}

/** The measures of every record come first: `recordMeasures` begin `spendMeasures`. */
export function recordAmounts(amounts: readonly Amount[]): Amount[] {
  return amounts.slice(0, recordMeasures.length);
}

export const noRecordAmounts: readonly Amount[] = recordMeasures.map(() => 0);

/** Appends them without trailing zeros. In a loop: a session has thousands of cells. */
export function writeAmounts(into: (number | string)[], amounts: readonly Amount[]): void {
  const length = amounts.findLastIndex((amount) => amount !== 0) + 1;
  for (let index = 0; index < length; index++) into.push(amountToJson(amounts[index] ?? 0));
}

export function readAmounts(stored: readonly (number | string)[]): Amount[] {
  return spendMeasures.map((_, index) => amountFromJson(stored[index] ?? 0));
}
