/** Budgets as a table: how much of each is used, and its state in a word. */
import type { Budget } from '@pi-ledger/contract/answers';
import { type Table, table } from '../output/answer.ts';
import { formatCount } from '../output/format.ts';
import type { Column } from '../output/table.ts';

export function budgetsTable(rows: readonly Budget[]): Table {
  const text = (
    title: string,
    dropOrder: number,
    cell: (budget: Budget) => string,
  ): Column<Budget> => ({ title, align: 'left', dropOrder, cell });
  const columns: readonly Column<Budget>[] = [
    text('budget', 0, ({ name }) => name),
    text('per', 1, ({ per }) => per),
    { ...text('used', 0, usedText), align: 'right' },
    { ...text('limit', 0, ({ limit, unit }) => amountText(limit, unit)), align: 'right' },
    { ...text('share', 1, shareText), align: 'right' },
    text('state', 0, ({ state }) => state ?? 'n/a'),
    text('in', 2, ({ unit }) => unit),
  ];
  return table({ columns, rows });
}

function usedText({ used, unit, isAtLeast }: Budget): string {
  return used === null ? 'n/a' : `${isAtLeast ? '≥ ' : ''}${amountText(used, unit)}`;
}

function shareText({ usedShare, isAtLeast }: Budget): string {
  return usedShare === null ? 'n/a' : `${isAtLeast ? '≥ ' : ''}${Math.floor(usedShare * 100)} %`;
}

/** Decimals are cut, not rounded: a limit is reached when it is reached. */
function amountText(amount: string, unit: Budget['unit']): string {
  const [whole = '', places = ''] = amount.split('.');
  if (unit === 'tokens') return formatCount(whole);
  if (unit === 'percent') return `${whole} %`;
  return `$${formatCount(whole)}.${places.padEnd(2, '0').slice(0, 2)}`;
}
