/** Sums of days, by billing: what the first line says. */
import type { UsageFigures, UsageRow } from '@pi-ledger/contract/answers';
import type { Billing } from '@pi-ledger/contract/billings';
import { billings } from '../../../../contract/answers/billings.ts';
import type { Amount, Mark } from '../../format/amount.ts';
import { type Change, changeBetween } from '../../format/change.ts';
import { amountOf, amountOfAll, billingWords, hasAmount } from '../../format/spend.ts';
import { addDays, monthStart } from '../../state/period.ts';
import { counted } from './counting.ts';

/** Both `since` and `until` are included. */
export function daysWithin(
  rows: readonly UsageRow[],
  since: string,
  until: string,
): readonly UsageRow[] {
  return rows.filter(({ day }) => typeof day === 'string' && day >= since && day <= until);
}

export function unpricedIn(rows: readonly UsageRow[]): number {
  return rows.reduce((sum, { unpricedRecords }) => sum + unpricedRecords, 0);
}

/** What stands beside an amount of each kind of money. */
export const moneyUnits: Readonly<Record<Billing, string | undefined>> = {
  metered: undefined,
  subscription: 'list price, not billed',
  unknown: billingWords.unknown,
};

/** Metered, or else what a subscription covers, or else what nobody said how it is paid. */
export function mainBilling(rows: readonly UsageFigures[]): Billing {
  return shownBillings((billing) => hasAmount(rows, billing))[0];
}

/** The kinds of money that there is something of, or else `otherwise` alone; the main one first. */
export function shownBillings(
  hasSome: (billing: Billing) => boolean,
  otherwise: Billing = 'metered',
): readonly [Billing, ...Billing[]] {
  const [first = otherwise, ...others] = billings.filter(hasSome);
  return [first, ...others];
}

export interface BilledAmount {
  readonly billing: Billing;
  readonly amount: Amount;
}

/** What was spent of each kind of money that is shown. */
export function shownAmounts(row: UsageFigures, isCounting: boolean): readonly BilledAmount[] {
  return shownBillings((billing) => hasAmount([row], billing)).map((billing) => ({
    billing,
    amount: counted(amountOf(row, billing), isCounting),
  }));
}

export interface MonthDays {
  readonly since: string;
  readonly until: string;
}

/** The days of the month before, up to the same day of the month, or its last one. */
export function sameDaysBefore(today: string): MonthDays {
  const last = addDays(monthStart(today), -1);
  const since = monthStart(last);
  const until = `${since.slice(0, 8)}${today.slice(8)}`;
  return { since, until: until > last ? last : until };
}

export interface MonthChange extends MonthDays {
  /** What the days of the month before came to. */
  readonly before: Amount;
  readonly change: Change;
}

/**
 * The days until yesterday are compared: today is not over. Returns null when the month has none.
 */
export function monthChange(
  rows: readonly UsageRow[],
  today: string,
  billing: Billing,
  isCounting: boolean,
): MonthChange | null {
  const [start, yesterday] = [monthStart(today), addDays(today, -1)];
  if (yesterday < start) return null;
  const days = sameDaysBefore(yesterday);
  const now = amountOfAll(daysWithin(rows, start, yesterday), billing);
  const before = amountOfAll(daysWithin(rows, days.since, days.until), billing);
  const change = changeBetween(counted(now, isCounting), counted(before, isCounting));
  return { ...days, before, change };
}

/** Those of the month of `today`, with what is of a day ahead, but nothing of the next month. */
export function daysOfMonth(rows: readonly UsageRow[], today: string, latest: string) {
  const since = monthStart(today);
  const last = addDays(since, daysInMonth(today) - 1);
  return daysWithin(rows, since, latest < last ? latest : last);
}

export function daysInMonth(day: string): number {
  const next = addDays(`${day.slice(0, 7)}-28`, 4);
  return Number(addDays(monthStart(next), -1).slice(8));
}

export interface Usual {
  readonly median: bigint;
  readonly low: bigint;
  readonly high: bigint;
  /** It says that the three are lower bounds where one of the days lacks prices. */
  readonly mark: Mark;
  /** This many such weekdays were counted. */
  readonly days: number;
}

/** Fewer say nothing. */
const usualMin = 3;

/** What such weekdays came to; those without any price are left out. Null: too few are known. */
export function usualOfDays(days: readonly UsageFigures[], billing: Billing): Usual | null {
  const amounts = days.map((figures) => amountOf(figures, billing));
  const mark = amounts.some((amount) => amount.mark === 'atLeast') ? 'atLeast' : 'exact';
  const sums = amounts
    .flatMap(({ nanoUsd }) => (nanoUsd === null ? [] : [nanoUsd]))
    .sort((one, other) => (one < other ? -1 : one > other ? 1 : 0));
  const [low, high] = [sums[0], sums.at(-1)];
  if (low === undefined || high === undefined || sums.length < usualMin) return null;
  return { median: medianOf(sums), low, high, mark, days: sums.length };
}

function medianOf(sorted: readonly bigint[]): bigint {
  const half = Math.floor(sorted.length / 2);
  const [below = 0n, above = 0n] = [sorted[half - 1], sorted[half]];
  return sorted.length % 2 === 1 ? above : (below + above) / 2n;
}
