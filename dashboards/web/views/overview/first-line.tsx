/**
 * What one came for: the chosen period, today, this month, what subscriptions cover, and what is in
 * no sum.
 */

import type { Budget, UsageRow } from '@pi-ledger/contract/answers';
import type { Billing } from '@pi-ledger/contract/billings';
import type { ComponentChildren, JSX } from 'preact';
import { useLoaded } from '../../app/loaded.ts';
import type { Amount } from '../../format/amount.ts';
import { formatAmount } from '../../format/budget.ts';
import { amountOfAll, hasAmount } from '../../format/spend.ts';
import { formatClock, formatDays, formatLongDay, formatMonth } from '../../format/time.ts';
import { Figure, Figures } from '../../parts/figures.tsx';
import { Link } from '../../parts/link.tsx';
import { Loading } from '../../parts/marks.tsx';
import { Money } from '../../parts/money.tsx';
import { Percent } from '../../parts/percent.tsx';
import { useAnswer } from '../../state/page.ts';
import { rangeDefault } from '../../state/period.ts';
import type { Place } from '../../state/place.ts';
import type { Today, ViewProps } from '../view.ts';
import { historyAsk } from './asks.ts';
import { useHasBegun } from './before.ts';
import { counted, useIsCounting } from './counting.ts';
import { InNoSum } from './in-no-sum.tsx';
import { MonthLimit, useMonthLimit } from './month-limit.tsx';
import { OtherMoney } from './other-money.tsx';
import { PeriodFigure } from './period-figure.tsx';
import { QuotaLines, useHasQuota } from './quota-lines.tsx';
import {
  daysInMonth,
  daysOfMonth,
  daysWithin,
  mainBilling,
  moneyUnits,
  monthChange,
  sameDaysBefore,
} from './sums.ts';
import { UsualByNow } from './usual-by-now.tsx';

/** `isReady`: the view's other numbers are there, so that more may be asked. */
export function FirstLine({ place, today, isReady }: ViewProps & { isReady: boolean }) {
  const { answer, at } = useAnswer(historyAsk(place, today));
  const hasQuota = useHasQuota();
  const days = answer?.rows ?? null;
  const month = days && daysOfMonth(days, today.day, latestOf(today));
  const billing = days === null ? 'metered' : mainBilling(days);
  const isCovered = month !== null && amountOfAll(month, 'subscription').nanoUsd !== 0n;
  const unknown = month === null ? null : amountOfAll(month, 'unknown');
  const sum = { place, days, today };
  const { range = rangeDefault } = place.parameters;
  const isOther = range !== 'today' && range !== 'month';
  const ofToday = <TodayFigure key="today" {...{ place, today, days, billing, at, isReady }} />;
  const ofMonth = <MonthFigure key="month" {...sum} {...{ billing }} isMain isLarge={!isOther} />;
  return (
    <div class="first-line">
      <Figures>
        {isOther && <PeriodFigure {...{ place, today, billing }} />}
        {range === 'month' ? [ofMonth, ofToday] : [ofToday, ofMonth]}
        {billing === 'metered' && (isCovered || hasQuota) && (
          <MonthFigure {...sum} billing="subscription">
            <QuotaLines />
          </MonthFigure>
        )}
        {billing !== 'unknown' && unknown !== null && unknown.nanoUsd !== 0n && (
          <Figure
            label={`Billing unknown, ${formatMonth(today.day)}`}
            value={<Sum {...unknown} />}
            unit="in neither sum"
          />
        )}
        {month === null ? (
          <Figure label="In no sum" value={<Loading />} />
        ) : (
          <InNoSum {...{ month, today }} />
        )}
      </Figures>
      {days !== null && hasAmount(days, 'unknown') && <Question />}
    </div>
  );
}

/** Its code comes when there is something to ask. */
function Question(): JSX.Element | null {
  const loaded = useLoaded(loadHowPaid);
  return loaded.is === 'loaded' ? <loaded.part /> : null;
}

const loadHowPaid = () => import('./how-paid.tsx').then((file) => file.HowPaid);

interface TodayProps {
  readonly place: Place;
  readonly today: Today;
  /** They are null until they have come. */
  readonly days: readonly UsageRow[] | null;
  readonly billing: Billing;
  /** When the days were counted, in ms since 1970. */
  readonly at: number | null;
  readonly isReady: boolean;
}

function TodayFigure({ place, today, days, billing, at, isReady }: TodayProps): JSX.Element {
  const own = days && daysWithin(days, today.day, latestOf(today));
  const spent = own && amountOfAll(own, billing);
  const until = at === null ? '' : `, until ${formatClock(at)}`;
  return (
    <Figure
      label={`Today, ${formatLongDay(today.day)}${until}`}
      value={spent === null ? <Loading /> : <Sum {...spent} />}
      unit={moneyUnits[billing]}
      isLarge
    >
      {isReady && spent !== null && days !== null ? (
        <UsualByNow {...{ place, today, billing }} spent={spent.nanoUsd} days={days} />
      ) : (
        <>
          <div class="meter" />
          <Loading />
        </>
      )}
      {own !== null && <OtherMoney of={own} beside={billing} />}
    </Figure>
  );
}

interface MonthProps {
  readonly place: Place;
  readonly days: readonly UsageRow[] | null;
  readonly today: Today;
  readonly billing: Billing;
  /** It is of the billing that leads. */
  readonly isMain?: boolean;
  readonly isLarge?: boolean;
  readonly children?: ComponentChildren;
}

function MonthFigure({ place, days, today, billing, children, ...look }: MonthProps) {
  const { isMain = false, isLarge = false } = look;
  const spent = days && amountOfAll(daysOfMonth(days, today.day, latestOf(today)), billing);
  const limit = useMonthLimit(place, billing);
  const name = formatMonth(today.day);
  const label = isMain
    ? `${name}, ${Number(today.day.slice(8))} of ${daysInMonth(today.day)} days`
    : `Subscriptions, ${name}`;
  return (
    <Figure
      label={label}
      value={spent === null ? <Loading /> : <Sum {...spent} />}
      unit={limit === null ? moneyUnits[billing] : <LimitWords of={limit} billing={billing} />}
      isLarge={isLarge}
    >
      {limit !== null && spent !== null && (
        <MonthLimit of={limit} spent={spent.nanoUsd} today={today.day} />
      )}
      <p>{days !== null && <Against {...{ place, days, today, billing }} />}</p>
      {children}
    </Figure>
  );
}

/** `of $420.00 limit` */
function LimitWords({ of, billing }: { of: Budget; billing: Billing }) {
  return (
    <>
      of{' '}
      <Link view="budgets" parameters={{ show: of.name }}>
        {formatAmount(of.limit, of.unit)} limit
      </Link>
      {billing === 'subscription' && ', list price, not billed'}
    </>
  );
}

interface AgainstProps {
  readonly place: Place;
  readonly days: readonly UsageRow[];
  readonly today: Today;
  readonly billing: Billing;
}

/** The days of the month until yesterday, against those of the month before. */
function Against({ place, days, today, billing }: AgainstProps): JSX.Element {
  const isCounting = useIsCounting();
  const { since } = sameDaysBefore(today.day);
  const hasBegun = useHasBegun(place, since);
  const compared = monthChange(days, today.day, billing, isCounting);
  if (hasBegun === null) return <>loading</>;
  if (compared === null) return <>nothing to compare with before the first day is over</>;
  const against = formatDays(compared.since, compared.until);
  if (!hasBegun || compared.change.share === null) return <>nothing to compare with, {against}</>;
  return (
    <>
      until yesterday{' '}
      <strong>
        <Percent of={compared.change} />
      </strong>{' '}
      against {against}, <Sum {...compared.before} />
    </>
  );
}

/** What is spent now may be spent on a later day. */
function latestOf({ day, latest = day }: Today): string {
  return latest;
}

/** `…` stands for its mark while sums grow. */
function Sum(amount: Amount): JSX.Element {
  return <Money {...counted(amount, useIsCounting())} />;
}
