/** Budgets as `config.json` and the events say them. Pure. */
import { createHash } from 'node:crypto';
import type { BudgetDefinition } from '@pi-ledger/contract';
import { decimalText } from '@pi-ledger/contract/amounts';
import type { Wanted } from '../../projections/registry.ts';
import { decimalToUnits } from '../reprice/decimal.ts';

export interface NamedBudget {
  readonly name: string;
  readonly version: string;
  readonly definition: BudgetDefinition;
  /** The limit is another one than usual (limited-at.ts). */
  readonly raised?: Raised;
}

interface Raised {
  /** The last day of it. */
  readonly until: string;
  readonly usualLimit: string;
}

export type BudgetUnit = BudgetDefinition['unit'];
export type BudgetPer = BudgetDefinition['per'];

export function nameBudget(name: string, definition: BudgetDefinition): NamedBudget {
  return { name, version: versionOf(definition), definition };
}

/** A hash over all that it says: the same definition has the same version everywhere. */
function versionOf(definition: BudgetDefinition): string {
  const said = Object.entries(definition).toSorted(([left], [right]) => (left < right ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(said)).digest('hex').slice(0, 16);
}

/** Amounts are whole: nano-dollars, tokens, 10^-9 percent. */
function placesOf(unit: BudgetUnit): number {
  return unit === 'tokens' ? 0 : 9;
}

export function amountText(amount: bigint, unit: BudgetUnit): string {
  return decimalText(amount, placesOf(unit));
}

/** Returns null for a text that is no number, or is finer than the unit. */
export function amountOf(text: string, unit: BudgetUnit): bigint | null {
  return decimalToUnits(text, placesOf(unit));
}

/** Above zero: the reader of settings has checked it. */
export function limitOf({ limit, unit }: BudgetDefinition): bigint {
  return amountOf(limit, unit) ?? 0n;
}

/** Returns the days of a budget per so many days, and null for any other budget. */
export function daysOfPer(per: string): number | null {
  const [, days] = /^(\d{1,3}) days$/.exec(per) ?? [];
  return days === undefined ? null : Number(days);
}

export const windowMsOfPer: Readonly<Record<string, number>> = {
  '5h window': 5 * 3_600_000,
  'week window': 7 * 24 * 3_600_000,
};

export function isVerifiedOnly({ definition }: Pick<NamedBudget, 'definition'>): boolean {
  return definition.verifiedOnly === true;
}

/** The projections that these budgets need. */
export function wantedBy(budgets: readonly NamedBudget[]): Wanted {
  return { verified: budgets.some(isVerifiedOnly) };
}

export function isOfWindow({ per }: Pick<BudgetDefinition, 'per'>): boolean {
  return windowMsOfPer[per] !== undefined;
}
