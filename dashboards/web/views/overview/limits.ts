/** Which budgets the overview speaks of. Pure. */

import type { Budget } from '@pi-ledger/contract/answers';
import type { Billing } from '@pi-ledger/contract/billings';
import { billionths } from '../../../../contract/amounts.ts';
import { shareText } from '../../../../core/text/share-text.ts';
import type { Amount } from '../../format/amount.ts';
import { formatAmount, moneyWords, verdictOf } from '../../format/budget.ts';
import type { Place } from '../../state/place.ts';

/** No budget counts what nobody said how it is paid. */
const units = {
  metered: 'metered dollars',
  subscription: 'list-price dollars',
  unknown: null,
} as const;

/** That of the month, of this billing, about just what the filters are. Null: there is none. */
export function limitOf(
  rows: readonly Budget[],
  { parameters }: Place,
  billing: Billing,
): Budget | null {
  const labels = Object.entries(parameters).flatMap(([name, value]) =>
    name.startsWith('label:') ? [`${name.slice('label:'.length)}=${value}`] : [],
  );
  if (parameters.host !== undefined || labels.length > 1) return null;
  const { project = null, user = null, provider = null, model = null } = parameters;
  const [label = null] = labels;
  const found = rows.find(
    (row) =>
      row.per === 'month' &&
      row.unit === units[billing] &&
      row.project === project &&
      row.user === user &&
      row.model === model &&
      row.label === label &&
      row.provider === provider,
  );
  return found ?? null;
}

export interface Alarm {
  readonly budget: Budget;
  /** Beyond the limit: spent, or likely at most. Null: not money, or not beyond. */
  readonly amount: Amount | null;
  readonly is: 'warn' | 'bad';
  readonly words: string;
  readonly reason: string;
}

/** Budgets that are over, near their limit or likely to pass it: the gravest first. */
export function alarmsOf(rows: readonly Budget[]): readonly Alarm[] {
  return rows
    .flatMap((budget) => {
      const verdict = verdictOf(budget);
      if (verdict === null || verdict.is === 'good') return [];
      const { is, words } = verdict;
      return [{ budget, amount: beyond(budget), is, words, reason: reasonOf(budget) }];
    })
    .toSorted((one, other) => rankOf(one) - rankOf(other));
}

const ranks = { over: 0, warning: 1, ok: 2 } as const;

function rankOf({ budget: { state, usedShare } }: Alarm): number {
  return ranks[state ?? 'ok'] * 1_000 - Math.min(999, usedShare ?? 0);
}

function beyond({ unit, used, limit, forecast, isAtLeast, state }: Budget): Amount | null {
  if (unit === 'tokens' || unit === 'percent') return null;
  if (state === 'over' && used !== null)
    return { nanoUsd: billionths(used) - billionths(limit), mark: isAtLeast ? 'atLeast' : 'exact' };
  const most = forecast === null ? 0n : billionths(forecast.high) - billionths(limit);
  return most > 0n ? { nanoUsd: most, mark: 'atMost' } : null;
}

function reasonOf({ used, usedShare, limit, unit, forecast, isAtLeast }: Budget): string {
  const share = usedShare === null ? '' : `, ${shareText(usedShare)}`;
  const mark = isAtLeast ? '≥ ' : '';
  const of = `of ${formatAmount(limit, unit)}${share}`;
  const now = used === null ? '' : `${mark}${formatAmount(used, unit)} ${of}`;
  const counted = unit === 'list-price dollars' ? `${now}; ${moneyWords[unit]}` : now;
  if (forecast === null) return counted;
  const likely = `likely ~${formatAmount(forecast.middle, unit)}`;
  const range = `${formatAmount(forecast.low, unit)} to ${formatAmount(forecast.high, unit)}`;
  return `${counted}; ${likely} at the end, ${range}`;
}
