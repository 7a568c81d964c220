/** What is said of a budget. Its amounts are exact decimals in its unit. */
import type { Budget } from '@pi-ledger/contract/answers';
import { billionths } from '../../../contract/amounts.ts';
import { shareText } from '../../../core/text/share-text.ts';
import { shortCount } from './count.ts';
import { formatMoney } from './money.ts';
import { formatDays, formatMonth } from './time.ts';

export type BudgetUnit = Budget['unit'];

/** For charts and bars alone. */
export function numberOf(amount: string): number {
  return Number(amount);
}

/** `$161.20`, `63.1M tokens`, `62 %`. */
export function formatAmount(amount: string, unit: BudgetUnit): string {
  if (unit === 'tokens') return `${shortCount(Math.round(numberOf(amount)))} tokens`;
  if (unit === 'percent') return shareText(numberOf(amount) / 100);
  return formatMoney(billionths(amount));
}

/** The same of billionths of the unit. */
export function formatBillionths(billionths: bigint, unit: BudgetUnit): string {
  if (unit === 'metered dollars' || unit === 'list-price dollars') return formatMoney(billionths);
  return formatAmount(String(billionths / 1_000_000_000n), unit);
}

export const moneyWords: Readonly<Record<BudgetUnit, string>> = {
  'metered dollars': 'metered',
  'list-price dollars': 'subscription, list price',
  tokens: 'tokens',
  percent: 'share of the window',
};

/** What subscriptions cover is outlined and pale everywhere. */
export function isPale(unit: BudgetUnit): boolean {
  return unit === 'list-price dollars' || unit === 'percent';
}

export interface Verdict {
  readonly is: 'good' | 'warn' | 'bad';
  readonly words: string;
}

/** Its state as every part of pi-ledger calls it, and what the forecast adds. Null: not known. */
export function verdictOf(budget: Pick<Budget, 'state' | 'forecast' | 'limit'>): Verdict | null {
  const { state } = budget;
  if (state === null) return null;
  if (state === 'over') return { is: 'bad', words: 'over' };
  const passing = passingOf(budget);
  if (state === 'warning')
    return { is: 'warn', words: ['warning', ...(passing === null ? [] : [passing])].join(', ') };
  return passing === null ? { is: 'good', words: 'ok' } : { is: 'warn', words: passing };
}

/** Returns null when no forecast says that the limit is passed. */
function passingOf({ forecast, limit }: Pick<Budget, 'forecast' | 'limit'>): string | null {
  if (forecast === null) return null;
  if (numberOf(forecast.middle) > numberOf(limit)) return 'likely to pass it';
  return numberOf(forecast.high) > numberOf(limit) ? 'may pass it' : null;
}

const scopes = ['project', 'user', 'model', 'provider', 'label'] as const;

/** `{ word: 'project', name: 'shop' }`; empty: everything. */
export function scopeOf(
  budget: Budget,
): readonly { readonly word: string; readonly name: string }[] {
  return scopes.flatMap((word) => {
    const name = budget[word];
    return name === null ? [] : [{ word: word === 'user' ? 'person' : word, name }];
  });
}

/** The first day of its period and the last, in its time zone. Null: no window is known. */
export function daysOf(
  { period, timeZone }: Pick<Budget, 'period' | 'timeZone'>,
  dayIn: (ms: number, timeZone: string) => string,
): { readonly first: string; readonly last: string } | null {
  if (period === null) return null;
  const [startMs, endMs] = [Date.parse(period.start), Date.parse(period.end)];
  return { first: dayIn(startMs, timeZone), last: dayIn(endMs - 1, timeZone) };
}

/** `November`, `16 – 22 November`, `today`, `5 h window`. */
export function periodWords(
  { per }: Pick<Budget, 'per'>,
  days: { readonly first: string; readonly last: string } | null,
): string {
  if (per === '5h window') return '5 h window';
  if (per === 'week window') return 'week window';
  if (days === null || per === 'day') return 'today';
  return per === 'month' ? formatMonth(days.first) : formatDays(days.first, days.last);
}
