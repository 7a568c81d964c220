import type { ModelFigures, ModelRow } from '@pi-ledger/contract/answers';
import type { Billing } from '@pi-ledger/contract/billings';
import type { ComponentChildren, JSX } from 'preact';
import { formatCount, formatShare, shortCount } from '../../format/count.ts';
import { csvUsd } from '../../format/money.ts';
import { amountOf, fromCache, hasAmount, tokensOf } from '../../format/spend.ts';
import { Link } from '../../parts/link.tsx';
import { None, NotKnown } from '../../parts/marks.tsx';
import { Money, MoneyOrNone } from '../../parts/money.tsx';
import { Name } from '../../parts/name.tsx';
import type { Column } from '../../parts/table-column.ts';
import { counted } from '../overview/counting.ts';
import type { LatencyScale } from './latency.ts';
import { Latency, LatencyRange } from './latency-parts.tsx';

export const keyOfModel = ({ provider, model }: Pick<ModelRow, 'provider' | 'model'>): string =>
  JSON.stringify([provider, model]);

export function modelColumns(
  total: ModelFigures,
  scale: LatencyScale,
  isCounting: boolean,
): readonly Column<ModelRow>[] {
  const money = (billing: Billing, head: string) => moneyOf(billing, head, total, isCounting);
  const unknown = hasAmount([total], 'unknown') ? [money('unknown', 'Unknown')] : [];
  return [
    ...nameColumns,
    {
      ...count('attempts', 'Attempts', ({ answers }) => answers),
      total: formatCount(total.answers),
    },
    money('metered', 'Metered'),
    money('subscription', 'Subscription'),
    ...unknown,
    {
      name: 'tokens',
      head: 'Tokens',
      isNumber: true,
      goes: 'second',
      cell: (row) => shortCount(tokensOf(row)),
      sortBy: tokensOf,
      total: shortCount(tokensOf(total)),
    },
    per1k('meteredPer1k', 'Per 1k output', 'metered', 'meteredNanoUsd'),
    per1k('subscriptionPer1k', 'Subscr.', 'subscription', 'subscriptionNanoUsd'),
    ...latencyColumns(scale),
    latency('firstP50', 'First token', ({ firstP50 }) => firstP50),
    latency('firstP95', 'p95', ({ firstP95 }) => firstP95),
    {
      name: 'tokensPerSecond',
      head: 'Tokens/s',
      isNumber: true,
      goes: 'first',
      cell: ({ outputTokensPerSecond: rate }) => (rate === null ? <None /> : Math.round(rate)),
      sortBy: ({ outputTokensPerSecond }) => outputTokensPerSecond,
    },
    {
      name: 'fromCache',
      head: 'From cache',
      isNumber: true,
      goes: 'first',
      cell: (row) => formatShare(fromCache(row).read, fromCache(row).sent),
      sortBy: (row) => Number(fromCache(row).read) / Number(fromCache(row).sent || 1n),
    },
  ];
}

export const nameColumns: readonly Column<Pick<ModelRow, 'provider' | 'model'>>[] = [
  {
    name: 'model',
    head: 'Model',
    cell: ({ model }) => (
      <Link view="overview" class="name" parameters={{ model: model ?? '' }}>
        <Name of={model} />
      </Link>
    ),
    sortBy: ({ model }) => model,
  },
  {
    name: 'provider',
    head: 'Provider',
    goes: 'second',
    cell: ({ provider }) => (
      <span class="quiet">
        <Name of={provider} />
      </span>
    ),
    sortBy: ({ provider }) => provider,
  },
];

/** How long half of them took, the range to 95 of 100, and where that ends. */
export function latencyColumns<Row extends Pick<ModelRow, 'durationP50' | 'durationP95'>>(
  scale: LatencyScale,
): readonly Column<Row>[] {
  return [
    { ...latency<Row>('p50', 'p50', ({ durationP50 }) => durationP50), goes: 'second' },
    {
      name: 'range',
      head: <span class="unseen">p50 to p95</span>,
      goes: 'first',
      cell: (row) => <LatencyRange of={row} scale={scale} />,
    },
    { ...latency<Row>('p95', 'p95', ({ durationP95 }) => durationP95), goes: 'second' },
  ];
}

function latency<Row>(
  name: string,
  head: ComponentChildren,
  of: (row: Row) => ModelRow['durationP50'],
): Column<Row> {
  return {
    name,
    head,
    isNumber: true,
    goes: 'first',
    cell: (row) => <Latency of={of(row)} />,
    sortBy: (row) => of(row)?.ms ?? null,
  };
}

export function count<Row>(
  name: string,
  head: string,
  of: (row: Row) => number | null,
): Column<Row> {
  const cell = (row: Row): ComponentChildren => {
    const value = of(row);
    return value === null ? <NotKnown /> : formatCount(value);
  };
  return { name, head, isNumber: true, cell, sortBy: of };
}

function moneyOf(
  billing: Billing,
  head: string,
  total: ModelFigures,
  isCounting: boolean,
): Column<ModelRow> {
  return {
    name: billing,
    head,
    isNumber: true,
    cell: (row) => <MoneyOrNone {...counted(amountOf(row, billing), isCounting)} />,
    sortBy: (row) => amountOf(row, billing).nanoUsd,
    csv: (row) => csvUsd(amountOf(row, billing).nanoUsd),
    total: <MoneyOrNone {...counted(amountOf(total, billing), isCounting)} />,
  };
}

type Per1k = keyof ModelRow['costPer1kOutput'];

function per1k(name: string, head: string, billing: Billing, field: Per1k): Column<ModelRow> {
  const of = ({ costPer1kOutput }: ModelRow): bigint | null => {
    const text = costPer1kOutput[field];
    return text === null ? null : BigInt(text);
  };
  const cell = (row: ModelRow): JSX.Element => {
    const isNone = of(row) === null && amountOf(row, billing).nanoUsd === 0n;
    return isNone ? <None /> : <Money nanoUsd={of(row)} mark="exact" places={3} />;
  };
  const csv = (row: ModelRow) => csvUsd(of(row));
  return { name, head, isNumber: true, goes: 'first', cell, sortBy: of, csv };
}
