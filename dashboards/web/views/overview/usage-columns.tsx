/** The columns of tables of usage, against the period before. */
import type { UsageFigures, UsageRow } from '@pi-ledger/contract/answers';
import type { ComponentChildren, JSX } from 'preact';
import { seriesClass } from '../../charts/colours.ts';
import type { Amount } from '../../format/amount.ts';
import { formatChange, formatCount, formatShare, shortCount } from '../../format/count.ts';
import { exactUsd } from '../../format/money.ts';
import { amountOf, type Billing, fromCache, nanoUsdOf, tokensOf } from '../../format/spend.ts';
import { None, NotKnown } from '../../parts/marks.tsx';
import { Money, MoneyOrNone } from '../../parts/money.tsx';
import type { Column } from '../../parts/table.tsx';
import type { UsageTable } from './compared.ts';
import { counted } from './counting.ts';

export type UsageColumn = Column<UsageRow>;

export function moneyColumn(table: UsageTable, billing: Billing): UsageColumn {
  const { total, isCounting } = table;
  return {
    name: billing,
    head: heads[billing],
    isNumber: true,
    cell: (row) => <MoneyOrNone {...counted(amountOf(row, billing), isCounting)} />,
    sortBy: (row) => amountOf(row, billing).nanoUsd,
    csv: (row) => exactOf(amountOf(row, billing)),
    total: total && <MoneyOrNone {...counted(amountOf(total, billing), isCounting)} />,
  };
}

const heads = { metered: 'Metered', subscription: 'Subscription', unknown: 'Billing unknown' };

/** In dollars, of one billing. */
export function changeColumn(table: UsageTable, billing: Billing): UsageColumn {
  return {
    name: 'change',
    head: 'Change',
    isNumber: true,
    goes: 'second',
    cell: (row) => changeCell(table, changeOf(table, row, billing)),
    sortBy: (row) => changeOf(table, row, billing),
    csv: (row) => exactOf({ nanoUsd: changeOf(table, row, billing), mark: 'exact' }),
    total: table.total && changeCell(table, totalChange(table, billing)),
  };
}

export function percentColumn(table: UsageTable, billing: Billing): UsageColumn {
  const percent = (now: UsageFigures, before: UsageFigures | null | undefined) =>
    before === null ? (
      <NotKnown />
    ) : before ? (
      formatChange(nanoUsdOf(now, billing), nanoUsdOf(before, billing))
    ) : (
      '–'
    );
  return {
    name: 'percent',
    head: '%',
    isNumber: true,
    cell: (row) => <Quiet>{percent(row, table.before(row))}</Quiet>,
    sortBy: (row) => shareOf(row, table.before(row), billing),
    total: table.total && percent(table.total, table.totalBefore),
  };
}

export function tokensColumn({ total }: UsageTable, goes?: 'first' | 'second'): UsageColumn {
  return {
    name: 'tokens',
    head: 'Tokens',
    isNumber: true,
    ...(goes === undefined ? {} : { goes }),
    cell: (row) => shortCount(tokensOf(row)),
    sortBy: tokensOf,
    total: total && shortCount(tokensOf(total)),
  };
}

export function fromCacheColumn({ total }: UsageTable): UsageColumn {
  const share = (figures: UsageFigures) => {
    const { read, sent } = fromCache(figures);
    return sent === 0n ? null : Number(read) / Number(sent);
  };
  const text = (figures: UsageFigures) => {
    const { read, sent } = fromCache(figures);
    return formatShare(read, sent);
  };
  return {
    name: 'fromCache',
    head: 'From cache',
    isNumber: true,
    goes: 'first',
    cell: text,
    sortBy: share,
    total: total && text(total),
  };
}

export function countColumn(
  { total }: UsageTable,
  name: 'unpricedRecords' | 'unreportedRecords',
  head: string,
): UsageColumn {
  return {
    name,
    head,
    isNumber: true,
    goes: 'first',
    cell: (row) => <Quiet>{formatCount(row[name])}</Quiet>,
    sortBy: (row) => row[name],
    total: total && formatCount(total[name]),
  };
}

/** Undefined: not a series of the chart beside. */
export function Swatch({ index }: { index: number | undefined }): JSX.Element | null {
  return index === undefined ? null : <span class={`swatch ${seriesClass(index)}`} />;
}

function changeCell(table: UsageTable, nanoUsd: bigint | null): ComponentChildren {
  if (!table.hasBefore) return '…';
  if (nanoUsd === null) return <NotKnown />;
  return nanoUsd === 0n ? <None /> : <Money nanoUsd={nanoUsd} mark="exact" isChange />;
}

/**
 * Of what has a price, as long as some has one; null: not known, as where nothing at all was
 * recorded before.
 */
function changeOf(table: UsageTable, row: UsageRow, billing: Billing): bigint | null {
  if (table.totalBefore?.records === 0) return null;
  const before = table.before(row);
  const now = amountOf(row, billing).nanoUsd;
  const was = before ? amountOf(before, billing).nanoUsd : before === null ? null : 0n;
  return !table.hasBefore || now === null || was === null ? null : now - was;
}

function totalChange({ total, totalBefore }: UsageTable, billing: Billing): bigint | null {
  if (total === null || totalBefore === null || totalBefore.records === 0) return null;
  const [now, was] = [amountOf(total, billing).nanoUsd, amountOf(totalBefore, billing).nanoUsd];
  return now === null || was === null ? null : now - was;
}

function shareOf(
  now: UsageRow,
  before: UsageRow | undefined | null,
  billing: Billing,
): number | null {
  const was = !before ? 0n : nanoUsdOf(before, billing);
  return was === 0n ? null : Number(nanoUsdOf(now, billing) - was) / Number(was);
}

function exactOf({ nanoUsd }: Amount): string {
  return nanoUsd === null ? '' : exactUsd(nanoUsd);
}

function Quiet({ children }: { children: ComponentChildren }): JSX.Element {
  return <span class="quiet">{children}</span>;
}
