/** The columns of budgets. Amounts of two units do not sort in one column: shares do. */
import type { Budget } from '@pi-ledger/contract/answers';
import type { JSX } from 'preact';
import { shareText } from '../../../../core/text/share-text.ts';
import {
  daysOf,
  formatAmount,
  moneyWords,
  periodWords,
  scopeOf,
  verdictOf,
} from '../../format/budget.ts';
import { shortCount } from '../../format/count.ts';
import { formatDay, formatMoment } from '../../format/time.ts';
import { Link } from '../../parts/link.tsx';
import { Marked, NotKnown } from '../../parts/marks.tsx';
import { Name } from '../../parts/name.tsx';
import type { Column } from '../../parts/table-column.ts';
import { clockIn } from '../../state/today.ts';
import { BudgetBar } from './budget-bar.tsx';
import { leavesOut } from './windows.ts';

export function budgetColumns(today: string): readonly Column<Budget>[] {
  return [
    {
      name: 'of',
      head: 'Budget',
      cell: (row) => (
        <>
          <Link view="budgets" parameters={{ show: row.name }}>
            <Name of={row.name} />
          </Link>{' '}
          <Scope of={row} />
        </>
      ),
      sortBy: ({ name }) => name,
    },
    {
      name: 'unit',
      head: 'Counts',
      goes: 1.9,
      cell: ({ unit, verifiedOnly }) => (
        <span class="quiet">
          {moneyWords[unit]}
          {verifiedOnly && ', with a token only'}
        </span>
      ),
      csv: ({ unit }) => unit,
    },
    {
      name: 'period',
      head: 'Period',
      goes: 1.5,
      cell: (row) => periodOf(row),
      csv: ({ period, per }) => period?.start ?? per,
      facts: [
        { name: 'per', csv: ({ per }) => per },
        { name: 'start', csv: ({ period }) => period?.start ?? '' },
        { name: 'end', csv: ({ period }) => period?.end ?? '' },
      ],
    },
    {
      name: 'spent',
      goes: 0,
      head: 'Used',
      isNumber: true,
      cell: (row) => <Used of={row} />,
      csv: ({ used }) => used ?? '',
    },
    {
      name: 'limit',
      head: 'Limit',
      isNumber: true,
      goes: 0.5,
      cell: (row) => <Limit of={row} today={today} />,
      csv: ({ limit }) => limit,
    },
    {
      name: 'bar',
      head: 'Used, likely, limit',
      goes: 1.6,
      cell: (row) => row.used !== null && <BudgetBar {...row} />,
      isDrawn: true,
      sortBy: ({ usedShare }) => usedShare,
    },
    {
      name: 'share',
      head: 'Share',
      isNumber: true,
      cell: ({ usedShare, isAtLeast }) =>
        usedShare === null ? (
          <NotKnown />
        ) : (
          <Marked mark={isAtLeast ? 'atLeast' : 'exact'}>{shareText(usedShare)}</Marked>
        ),
      sortBy: ({ usedShare }) => usedShare,
    },
    {
      name: 'state',
      head: 'State',
      cell: (row) => <State of={row} />,
      csv: (row) => verdictOf(row)?.words ?? '',
    },
    {
      name: 'likely',
      head: 'Likely at the end',
      isNumber: true,
      goes: 2,
      cell: (row) => <Likely of={row} today={today} />,
      csv: ({ forecast }) => forecast?.middle ?? '',
    },
  ];
}

function periodOf(row: Budget): string {
  return periodWords(
    row,
    daysOf(row, (ms, zone) => clockIn(ms, zone).day),
  );
}

/** `project shop, label team=checkout`; nothing where the name says it, or all counts. */
export function Scope({ of, hasMore = false }: { of: Budget; hasMore?: boolean }) {
  const scope = scopeOf(of).filter(({ name }) => name !== of.name);
  if (scope.length === 0) return null;
  return (
    <span class="quiet">
      {scope.map(({ word, name }, index) => (
        <span key={word}>
          {index > 0 && ', '}
          {word} <Name of={name} charsMax={24} />
        </span>
      ))}
      {hasMore && ', '}
    </span>
  );
}

/** Another column says that they are tokens. */
function inColumn(amount: string, unit: Budget['unit']): string {
  return unit === 'tokens' ? shortCount(Math.round(Number(amount))) : formatAmount(amount, unit);
}

function Used({ of }: { of: Budget }): JSX.Element {
  if (of.used === null) return <NotKnown />;
  return (
    <span title={leavesOut(of) ?? undefined}>
      <Marked mark={of.isAtLeast ? 'atLeast' : 'exact'}>{inColumn(of.used, of.unit)}</Marked>
    </span>
  );
}

function Likely({ of, today }: { of: Budget; today: string }): JSX.Element {
  const { forecast, noForecast, unit, fullAt } = of;
  if (forecast === null)
    return (
      <span title={noForecast ?? undefined}>
        <NotKnown />
      </span>
    );
  const { low, middle, high } = forecast;
  const full = fullAt === null ? '' : `; the limit about ${formatMoment(fullAt, today)}`;
  return (
    <span title={`${forecast.basis}${full}`}>
      <Marked mark="estimated">{inColumn(middle, unit)}</Marked>{' '}
      <span class="quiet">
        {inColumn(low, unit)} to {inColumn(high, unit)}
      </span>
    </span>
  );
}

function Limit({ of: { limit, raised, unit }, today }: { of: Budget; today: string }) {
  if (raised === null) return inColumn(limit, unit);
  return (
    <span class="amounts">
      {inColumn(limit, unit)}{' '}
      <span class="quiet">
        until {formatDay(raised.until, today)}, usually {inColumn(raised.usualLimit, unit)}
      </span>
    </span>
  );
}

function State({ of }: { of: Budget }): JSX.Element {
  const verdict = verdictOf(of);
  return (
    <>
      {verdict === null ? <NotKnown /> : <span class={`state ${verdict.is}`}>{verdict.words}</span>}
      {of.isHard && <span class="quiet"> asks first</span>}
      {of.endsHeadlessRuns && <span class="quiet"> ends headless runs</span>}
    </>
  );
}
