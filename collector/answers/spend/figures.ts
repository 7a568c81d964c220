/** Sums of the usage rollup and the figures that an answer makes of them. Pure. */
import type { UsageFigures } from '@pi-ledger/contract/answers';
import { amountNames, type Billing, billedNames, billings } from '@pi-ledger/contract/billings';
import { flatFigureNames } from '@pi-ledger/contract/figure-names';
import {
  costPartMeasures,
  type SpendMeasure,
  tokenMeasures,
} from '@pi-ledger/contract/spend-shape';
import type { SumRow } from '../../views/views.ts';
import { exactFigure } from './exact-count.ts';

type Billed = UsageFigures['byBilling'][Billing];

/** Those that are no amounts of a billing have the same name in the rollup. */
const countNames = flatFigureNames.filter(
  (name) => !Object.values(amountNames).some((amount) => amount === name),
);
/** Each kind of billing has these, by their names in the rollup. */
const billedMeasures = [
  'nanoUsd',
  ...costPartMeasures,
  'unpricedRecords',
  'unreportedRecords',
  'lowerBoundRecords',
] as const satisfies readonly SpendMeasure[];

export interface Sums {
  readonly counts: Map<string, bigint>;
  readonly billed: Readonly<Record<Billing, Map<string, bigint>>>;
}

export function noSums(): Sums {
  return {
    counts: new Map(),
    billed: { metered: new Map(), subscription: new Map(), unknown: new Map() },
  };
}

export function addSum(
  { counts, billed }: Sums,
  billing: string,
  measures: SumRow['measures'],
): void {
  const own = billed[billings.find((each) => each === billing) ?? 'unknown'];
  for (const name of countNames) addTo(counts, name, measures[name]);
  for (const name of billedMeasures) addTo(own, name, measures[name]);
}

/**
 * What rows are sorted by: metered dollars, then those of each further kind, which are never added
 * up, then tokens.
 */
export type Rank = readonly bigint[];

export const rankLength = billings.length + 1;

export function rankOf({ counts, billed }: Sums): Rank {
  const tokens = tokenMeasures.reduce((sum, name) => sum + sumIn(counts, name), 0n);
  return [...billings.map((billing) => sumIn(billed[billing], 'nanoUsd')), tokens];
}

/** Those with most first. */
export function compareRanks(left: Rank, right: Rank): number {
  for (const [index, own] of left.entries()) {
    const other = right[index] ?? 0n;
    if (own !== other) return own > other ? -1 : 1;
  }
  return 0;
}

export function toFigures({ counts, billed }: Sums): UsageFigures {
  const flat = flatFigureNames.map((name) => {
    const billing = billings.find((each) => amountNames[each] === name);
    const value = billing === undefined ? sumIn(counts, name) : sumIn(billed[billing], 'nanoUsd');
    return [name, exactFigure(name, value)];
  });
  const byBilling = billings.map((billing) => [billing, toBilled(billed[billing])]);
  return { ...Object.fromEntries(flat), byBilling: Object.fromEntries(byBilling) } as UsageFigures;
}

function toBilled(sums: ReadonlyMap<string, bigint>): Billed {
  const parts = costPartMeasures.reduce((sum, name) => sum + sumIn(sums, name), 0n);
  const entries = billedNames.map((name) => [
    name,
    exactFigure(name, name === 'otherNanoUsd' ? sumIn(sums, 'nanoUsd') - parts : sumIn(sums, name)),
  ]);
  return Object.fromEntries(entries) as Billed;
}

function sumIn(sums: ReadonlyMap<string, bigint>, name: string): bigint {
  return sums.get(name) ?? 0n;
}

function addTo(sums: Map<string, bigint>, name: string, amount = 0n): void {
  sums.set(name, sumIn(sums, name) + amount);
}

/** Whether nobody said how some of it is paid, priced or not. */
export function isUnknownUsed({ unknownBillingNanoUsd, byBilling }: UsageFigures): boolean {
  const { unpricedRecords, unreportedRecords } = byBilling.unknown;
  return unknownBillingNanoUsd !== '0' || unpricedRecords + unreportedRecords > 0;
}
