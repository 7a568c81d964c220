/** The budget of this month for what the page shows: its limit, and whether it will hold. */

import type { Budget } from '@pi-ledger/contract/answers';
import type { Billing } from '@pi-ledger/contract/billings';
import type { JSX } from 'preact';
import { billionths } from '../../../../contract/amounts.ts';
import { shareText } from '../../../../core/text/share-text.ts';
import { formatAmount, verdictOf } from '../../format/budget.ts';
import { formatDay } from '../../format/time.ts';
import { Link } from '../../parts/link.tsx';
import { Marked } from '../../parts/marks.tsx';
import { Money } from '../../parts/money.tsx';
import { useAnswerOfNow } from '../../state/page.ts';
import type { Place } from '../../state/place.ts';
import { clockIn } from '../../state/today.ts';
import { BudgetBar } from '../budgets/budget-bar.tsx';
import { budgetsAsk } from './asks.ts';
import { limitOf } from './limits.ts';

export function useMonthLimit(place: Place, billing: Billing): Budget | null {
  return limitOf(useAnswerOfNow(budgetsAsk).answer?.rows ?? [], place, billing);
}

export interface MonthLimitProps {
  readonly of: Budget;
  /** As the figure above says it: the budget's month may begin at another hour. */
  readonly spent: bigint | null;
  readonly today: string;
}

export function MonthLimit({ of, spent, today }: MonthLimitProps): JSX.Element {
  const { forecast, unit, used, usedShare, isAtLeast, period, timeZone } = of;
  const verdict = verdictOf(of);
  const end = period === null ? today : clockIn(Date.parse(period.end) - 1, timeZone).day;
  return (
    <>
      <BudgetBar {...of} />
      <p>
        {usedShare !== null && (
          <>
            <strong>
              <Marked mark={isAtLeast ? 'atLeast' : 'exact'}>{shareText(usedShare)}</Marked>
            </strong>{' '}
            of the limit
          </>
        )}
        {verdict !== null && verdict.is !== 'good' && (
          <>
            :{' '}
            <Link view="budgets" parameters={{ show: of.name }} class={verdict.is}>
              {verdict.words}
            </Link>
          </>
        )}
        {used !== null && spent !== null && billionths(used) !== spent && (
          <>
            {' '}
            (<Money nanoUsd={billionths(used)} mark={isAtLeast ? 'atLeast' : 'exact'} />
            {` in days of ${timeZone})`}
          </>
        )}
      </p>
      {forecast !== null && (
        <p>
          likely{' '}
          <strong>
            <Marked mark="estimated">{formatAmount(forecast.middle, unit)}</Marked>
          </strong>{' '}
          by {formatDay(end, today)}, {formatAmount(forecast.low, unit)} to{' '}
          {formatAmount(forecast.high, unit)}
        </p>
      )}
    </>
  );
}
