/** The columns of the quota windows. */
import type { QuotaWindow } from '@pi-ledger/contract/answers';
import type { JSX } from 'preact';
import { shareText } from '../../../../core/text/share-text.ts';
import { shortCount } from '../../format/count.ts';
import { csvUsd } from '../../format/money.ts';
import { formatClock, formatMoment, localDay } from '../../format/time.ts';
import { Marked, None, NotKnown } from '../../parts/marks.tsx';
import { Meter } from '../../parts/meter.tsx';
import { Money } from '../../parts/money.tsx';
import { Name } from '../../parts/name.tsx';
import type { Column } from '../../parts/table-column.ts';
import { leavesOut, rateOf, stateOf, timeShare } from './windows.ts';

export function columnsOf(today: string, nowMs: number): readonly Column<QuotaWindow>[] {
  const moment = (iso: string) =>
    localDay(new Date(iso)) === today ? formatClock(iso) : formatMoment(iso, today);
  return [
    {
      name: 'account',
      head: 'Account',
      cell: ({ provider, user }) => (
        <>
          <Name of={provider} />, <Name of={user} />
        </>
      ),
      sortBy: ({ provider, user }) => `${provider ?? ''}, ${user ?? ''}`,
      facts: [
        { name: 'provider', sortBy: ({ provider }) => provider },
        { name: 'user', sortBy: ({ user }) => user },
      ],
    },
    {
      name: 'window',
      head: 'Window',
      cell: ({ name }) => <Name of={name} />,
      csv: (row) => row.name,
    },
    {
      name: 'used',
      head: 'Used',
      isNumber: true,
      cell: (row) => <Used row={row} />,
      sortBy: ({ usedShare }) => usedShare,
    },
    {
      name: 'bar',
      head: '0 to 100 %',
      goes: 1,
      cell: (row) =>
        row.usedShare !== null && (
          <Meter
            label={`${row.name} window`}
            share={row.usedShare}
            tick={timeShare(row, nowMs)}
            look="pale"
          />
        ),
      isDrawn: true,
      sortBy: ({ usedShare }) => usedShare,
    },
    {
      name: 'ends',
      head: 'Ends',
      goes: 1,
      cell: ({ endsAt, starts }) => {
        if (endsAt !== null) return moment(endsAt);
        return starts === 'rolling' ? 'rolling' : <NotKnown />;
      },
      sortBy: ({ endsAt }) => endsAt,
    },
    {
      name: 'rate',
      head: 'Rate',
      goes: 1,
      cell: (row) => <Rate row={row} nowMs={nowMs} />,
    },
    {
      name: 'full',
      head: 'Full at this rate',
      goes: 1,
      cell: ({ fullAt, usedShare }) => {
        if (fullAt !== null) return <Marked mark="estimated">{moment(fullAt)}</Marked>;
        return usedShare === null ? <None /> : 'not before';
      },
      sortBy: ({ fullAt }) => fullAt,
    },
    {
      name: 'state',
      head: 'State',
      cell: (row) => <State row={row} />,
      csv: (row) => stateOf(row)?.words ?? '',
      goes: 0,
    },
    {
      name: 'worth',
      head: 'A full one buys',
      goes: 2,
      cell: ({ worth }) => <Worth of={worth} />,
      csv: ({ worth }) => String(worth?.tokens ?? ''),
      facts: [
        { name: 'worth', unit: 'tokens', csv: ({ worth }) => String(worth?.tokens ?? '') },
        {
          name: 'worthAtListPrice',
          unit: 'USD',
          csv: ({ worth }) =>
            worth?.listPriceNanoUsd == null ? '' : csvUsd(BigInt(worth.listPriceNanoUsd)),
        },
      ],
    },
    {
      name: 'from',
      head: 'From',
      goes: 2,
      cell: (row) => (
        <span class="quiet">
          {row.source === 'provider'
            ? `told by the provider${row.toldAt === null ? '' : `, ${moment(row.toldAt)}`}`
            : 'your limit, this ledger’s sum'}
        </span>
      ),
      csv: ({ source }) => source,
    },
  ];
}

function Worth({ of }: { of: QuotaWindow['worth'] }): JSX.Element {
  if (of === null) return <NotKnown />;
  const { tokens, listPriceNanoUsd } = of;
  return (
    <>
      <Marked mark="estimated">{shortCount(tokens)} tokens</Marked>
      {listPriceNanoUsd !== null && (
        <>
          , <Money nanoUsd={BigInt(listPriceNanoUsd)} mark="estimated" />{' '}
          <span class="quiet">list price</span>
        </>
      )}
    </>
  );
}

function Used({ row }: { row: QuotaWindow }): JSX.Element {
  if (row.usedShare === null) return <NotKnown />;
  return (
    <span title={leavesOut(row) ?? undefined}>
      <Marked mark={row.isAtLeast ? 'atLeast' : 'exact'}>{shareText(row.usedShare)}</Marked>
    </span>
  );
}

function Rate({ row, nowMs }: { row: QuotaWindow; nowMs: number }): JSX.Element {
  const rate = rateOf(row, nowMs);
  if (rate === null) return <NotKnown />;
  const text = `${rate.percent < 1 && rate.percent > 0 ? '<1' : Math.round(rate.percent)} %`;
  return (
    <Marked mark={row.isStartEstimated ? 'estimated' : 'exact'}>{`${text} ${rate.per}`}</Marked>
  );
}

function State({ row }: { row: QuotaWindow }): JSX.Element {
  const state = stateOf(row);
  return state === null ? <NotKnown /> : <span class={`state ${state.is}`}>{state.words}</span>;
}
