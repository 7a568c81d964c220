/** Columns that tables of projects and of their parts share. */
import type { UsageFigures, UsageRow } from '@pi-ledger/contract/answers';
import type { ComponentChildren, JSX } from 'preact';
import { formatChange, formatCount, formatShare, shortCount } from '../../format/count.ts';
import { exactUsd } from '../../format/money.ts';
import { amountOf, type Billing, fromCache, tokensOf } from '../../format/spend.ts';
import { NotKnown } from '../../parts/marks.tsx';
import { Money, MoneyOrNone } from '../../parts/money.tsx';
import type { Column } from '../../parts/table.tsx';
import type { Change } from './changes.ts';

type Goes = Column<UsageRow>['goes'];

export function moneyColumn(
  billing: Billing,
  head: string,
  total: UsageFigures | undefined,
  goes?: Goes,
): Column<UsageRow> {
  return {
    name: billing,
    head,
    isNumber: true,
    ...(goes === undefined ? {} : { goes }),
    cell: (row) => <MoneyOrNone {...amountOf(row, billing)} />,
    sortBy: (row) => amountOf(row, billing).nanoUsd,
    csv: (row) => {
      const { nanoUsd } = amountOf(row, billing);
      return nanoUsd === null ? '' : exactUsd(nanoUsd);
    },
    total: total === undefined ? null : <MoneyOrNone {...amountOf(total, billing)} />,
  };
}

/** Only where there is some. */
export function unknownColumns(total: UsageFigures | undefined): readonly Column<UsageRow>[] {
  const isThere =
    total !== undefined &&
    (total.unknownBillingNanoUsd !== '0' || total.byBilling.unknown.unpricedRecords > 0);
  return isThere ? [moneyColumn('unknown', 'Billing unknown', total)] : [];
}

export function changeColumns(
  changeOf: (row: UsageRow) => Change | null,
  total: Change | null,
): readonly Column<UsageRow>[] {
  const difference = (row: UsageRow): bigint | null => {
    const change = changeOf(row);
    return change === null ? null : change.now - change.before;
  };
  return [
    {
      name: 'change',
      head: 'Change',
      isNumber: true,
      goes: 'first',
      cell: (row) => <Money nanoUsd={difference(row)} mark="exact" isChange />,
      sortBy: difference,
      csv: (row) => {
        const nanoUsd = difference(row);
        return nanoUsd === null ? '' : exactUsd(nanoUsd);
      },
      total: total && <Money nanoUsd={total.now - total.before} mark="exact" isChange />,
    },
    {
      name: 'percent',
      head: '%',
      isNumber: true,
      goes: 'first',
      cell: (row) => percentOf(changeOf(row)),
      sortBy: (row) => {
        const change = changeOf(row);
        return change === null || change.before === 0n
          ? null
          : Number(change.now - change.before) / Number(change.before);
      },
      total: total && percentOf(total),
    },
  ];
}

export const tokensColumn = (total: UsageFigures | undefined): Column<UsageRow> => ({
  name: 'tokens',
  head: 'Tokens',
  isNumber: true,
  goes: 'second',
  cell: (row) => shortCount(tokensOf(row)),
  sortBy: tokensOf,
  total: total && shortCount(tokensOf(total)),
});

export const cacheColumn = (total: UsageFigures | undefined): Column<UsageRow> => ({
  name: 'fromCache',
  head: 'From cache',
  isNumber: true,
  goes: 'first',
  cell: cacheShare,
  sortBy: (row) => {
    const { read, sent } = fromCache(row);
    return sent === 0n ? null : Number(read) / Number(sent);
  },
  total: total && cacheShare(total),
});

export function countColumn(
  name: string,
  head: string,
  of: (figures: UsageFigures) => number,
  total: UsageFigures | undefined,
): Column<UsageRow> {
  return {
    name,
    head,
    isNumber: true,
    goes: 'first',
    cell: (row) => <span class="quiet">{formatCount(of(row))}</span>,
    sortBy: of,
    total: total && formatCount(of(total)),
  };
}

export function cacheShare(figures: UsageFigures): string {
  const { read, sent } = fromCache(figures);
  return formatShare(read, sent);
}

export function percentOf(change: Change | null): ComponentChildren {
  return change === null ? <NotKnown /> : formatChange(change.now, change.before);
}

/** `+$44.15, +87 %`; nothing where nothing was before. */
export function ChangeWords({ change }: { change: Change | null }): JSX.Element | null {
  if (change === null || change.before === 0n) return null;
  return (
    <p>
      <strong>
        <Money nanoUsd={change.now - change.before} mark="exact" isChange />
      </strong>
      , {formatChange(change.now, change.before)}
    </p>
  );
}
