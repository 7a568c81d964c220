/** What was spent each day, as a chart and as the table of its numbers. */

import type { UsageRow } from '@pi-ledger/contract/answers';
import { dayStartMs } from '@pi-ledger/core/time/day';
import { dayMs } from '@pi-ledger/core/time/units';
import type { LedgerClient } from '../../cli/client/ledger-client.ts';
import type { Terminal } from '../../cli/command.ts';
import { table } from '../../cli/output/answer.ts';
import type { Chart, DaySpend } from '../../cli/output/answer-parts.ts';
import { amountColumns } from '../spend/print.ts';
import { sumFigures } from '../spend/sum-figures.ts';

/** Resolves to null where the answer is no document that shows charts, or nothing was spent. */
export async function chartOf(
  { document }: Terminal,
  client: LedgerClient,
  parameters: URLSearchParams,
  last?: string,
): Promise<Chart | null> {
  return document?.hasCharts ? askDailySpend(client, parameters, last) : null;
}

/**
 * Asks for the days of an answer, which `parameters` narrow; `last`: one that is shown even without
 * spend, else the last that was asked for. Null: nothing was spent.
 */
async function askDailySpend(
  client: Pick<LedgerClient, 'getAll'>,
  parameters: URLSearchParams,
  last = boundOf('until', parameters),
): Promise<Chart | null> {
  const query = new URLSearchParams(parameters);
  query.set('by', 'day');
  const { rows, total } = await client.getAll('/v1/usage', query);
  const byDay = new Map(rows.map((row) => [row.day ?? '', row]));
  const named = rows.flatMap(({ day }) => (day ? [day] : [])).toSorted();
  const [newest, oldest] = [named.at(-1), named[0]];
  if (newest === undefined || oldest === undefined) return null;
  const end = last !== null && last > newest ? last : newest;
  const days = daysBetween(boundOf('since', parameters) ?? oldest, end);
  const dayRows = days.map((day) => byDay.get(day) ?? { ...sumFigures([]), day });
  const columns = [
    { title: 'day', align: 'left', dropOrder: 0, cell: ({ day }: UsageRow) => day ?? '' } as const,
    ...amountColumns(total),
  ];
  return { chart: { days: dayRows.map(spendOf), table: table({ columns, rows: dayRows }) } };
}

/** A day; an hour within one is no column. */
function boundOf(name: 'since' | 'until', parameters: URLSearchParams): string | null {
  const text = parameters.get(name);
  return text !== null && text.length === dayChars ? text : null;
}

const dayChars = 10;

function daysBetween(first: string, last: string): readonly string[] {
  const begin = dayStartMs(first) ?? 0;
  const count = Math.max(0, ((dayStartMs(last) ?? 0) - begin) / dayMs) + 1;
  return Array.from({ length: count }, (_, index) =>
    new Date(begin + index * dayMs).toISOString().slice(0, dayChars),
  );
}

function spendOf(row: UsageRow): DaySpend {
  return {
    day: row.day ?? '',
    meteredNanoUsd: BigInt(row.meteredNanoUsd),
    subscriptionNanoUsd: BigInt(row.subscriptionNanoUsd),
  };
}
