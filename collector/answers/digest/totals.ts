/** The totals of a period beside those of the one before; each kind of money on its own. */

import { placesFor } from '@pi-ledger/contract/amounts';
import type { UsageFigures } from '@pi-ledger/contract/answers';
import { amounts } from '../../cli/output/amounts-text.ts';
import { table } from '../../cli/output/answer.ts';
import type { Table } from '../../cli/output/answer-parts.ts';
import { countColumn } from '../../cli/output/counts.ts';
import { formatDay, formatTime, signed } from '../../cli/output/format.ts';
import type { Column } from '../../cli/output/table.ts';
import { amountColumns, totalTokens } from '../spend/print.ts';
import { sumFigures } from '../spend/sum-figures.ts';
import type { Digest } from './ask.ts';
import type { DigestPeriod } from './period.ts';

interface Line {
  readonly label: string;
  /** It is null in the line that shows the change between the two. */
  readonly figures: UsageFigures | null;
}

export function totalsTable({ period, total, before }: Digest): Table {
  const both = sumFigures([total, before]);
  const lines: readonly Line[] = [
    { label: `the ${period.unit}${period.isPartial ? ' so far' : ''}`, figures: total },
    { label: beforeText(period), figures: before },
    { label: 'change', figures: null },
  ];
  const money = amountColumns(both).map((column): Column<Line> => {
    const amount = amounts.find(({ title }) => title === column.title) ?? amounts[0];
    return {
      ...column,
      cell: ({ figures }, writing) =>
        figures === null ? changeText(total, before, amount) : column.cell(figures, writing),
    };
  });
  return table({
    columns: [
      { title: '', align: 'left', dropOrder: 0, cell: ({ label }) => label },
      ...money,
      counted('tokens', 0, totalTokens),
      counted('records', 1, ({ records }) => BigInt(records)),
    ],
    rows: lines,
  });

  function counted(
    title: string,
    dropOrder: number,
    count: (figures: UsageFigures) => bigint,
  ): Column<Line> {
    const change = count(total) - count(before);
    const column = countColumn<UsageFigures>(title, dropOrder, count);
    return {
      ...column,
      cell: ({ figures }, writing) => {
        if (figures !== null) return column.cell(figures, writing);
        const size = writing.count(change < 0n ? -change : change);
        return `${change > 0n ? '+' : change < 0n ? '-' : ''}${size}`;
      },
    };
  }
}

type Amount = (typeof amounts)[number];

/**
 * Records without a price are left out: now, so it is at least that (`≥`); before, at most (`≤`);
 * both, `~`. n/a where one is not known at all.
 */
function changeText(total: UsageFigures, before: UsageFigures, { field, billing }: Amount): string {
  if (before.records === 0) return 'n/a';
  const sides = [total, before].map((figures) => ({
    nanoUsd: BigInt(figures[field]),
    missing: figures.byBilling[billing].unpricedRecords,
  }));
  if (sides.some(({ nanoUsd, missing }) => nanoUsd === 0n && missing > 0)) return 'n/a';
  const [now = 0n, then = 0n] = sides.map(({ nanoUsd }) => nanoUsd);
  const [missing = 0, missingThen = 0] = sides.map((side) => side.missing);
  const mark = missing === 0 ? (missingThen === 0 ? '' : '≤ ') : missingThen === 0 ? '≥ ' : '~ ';
  return `${mark}${signed(now - then, placesFor(now + then))}`;
}

/** `the week before`, `the same part of the week before`. */
function beforeText({ unit, isPartial }: DigestPeriod): string {
  return isPartial ? `the same part of the ${unit} before` : `the ${unit} before`;
}

/** What it is compared with, in words. */
export function comparedText({ unit, before }: DigestPeriod, timeZone?: string): string {
  const first = formatDay(before.since, '');
  if (before.until.length === 10) {
    const last = formatDay(before.until, '');
    return `compared with ${first === last ? first : `${first} to ${last}`}`;
  }
  const zone = new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone;
  const [day = '', time = ''] = formatTime(before.until, timeZone).split(' ');
  const end = day === before.since ? `until ${time}` : `to ${formatDay(day, '')} ${time}`;
  return `compared with ${first} ${end} (${zone}), as far as this ${unit} is`;
}
