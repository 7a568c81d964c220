/** `pi-ledger tools --costs` and `--by-model` as tables. */

import { placesFor } from '@pi-ledger/contract/amounts';
import type {
  ToolCostList,
  ToolCostRow,
  ToolModelFigures,
  ToolModelList,
  ToolModelRow,
} from '@pi-ledger/contract/answers';
import { amounts, boundedText } from '../../cli/output/amounts-text.ts';
import { table } from '../../cli/output/answer.ts';
import type { Note, Table } from '../../cli/output/answer-parts.ts';
import { countColumn, countOf } from '../../cli/output/counts.ts';
import type { Column } from '../../cli/output/table.ts';

export function toolModelsTable({ rows, total }: ToolModelList): Table {
  const totals = [{ tool: 'total', provider: '', model: '', lastDay: '', ...total }];
  const columns: readonly Column<ToolModelRow>[] = [
    toolColumn,
    {
      title: 'model',
      align: 'left',
      dropOrder: 0,
      widthKept: 12,
      cell: ({ model }) => model ?? '(unknown)',
    },
    ...costColumns(total),
    {
      title: 'provider',
      align: 'left',
      dropOrder: 3,
      cell: ({ provider }) => provider ?? '(unknown)',
    },
  ];
  return table({ columns, rows, totals });
}

export function toolCostsTable({ rows, total }: ToolCostList): Table {
  const totals = [{ tool: 'total', lastDay: '', ...total }];
  return table({ columns: [toolColumn, ...costColumns(total)], rows, totals });
}

export function toolCostsNotes(total: ToolModelFigures): readonly Note[] {
  const sides = Object.values(total.byBilling);
  const unpriced = sides.reduce((sum, { unpricedCalls }) => sum + unpricedCalls, 0);
  const unreported = sides.reduce((sum, { unreportedCalls }) => sum + unreportedCalls, 0);
  return [
    { text: 'what an answer cost is shared equally among the calls that it asked for' },
    ...(unpriced === 0
      ? []
      : [{ mark: '≥' as const, text: `${countOf(unpriced, 'call')} of answers without a price` }]),
    ...(unreported === 0
      ? []
      : [{ text: `${countOf(unreported, 'call')} of attempts whose cost is not known` }]),
    ...(total.subscriptionNanoUsd === '0'
      ? []
      : [{ text: 'subscription: at list price, not billed' }]),
  ];
}

const toolColumn: Column<ToolCostRow> = {
  title: 'tool',
  align: 'left',
  dropOrder: 0,
  cell: ({ tool }) => tool,
};

function costColumns(total: ToolModelFigures): readonly Column<ToolCostRow>[] {
  return [
    ...amountColumns(total),
    countColumn('calls', 0, ({ calls }) => calls),
    countColumn('tokens', 1, ({ tokens }) => tokens),
    {
      title: 'last used',
      align: 'left',
      dropOrder: 2,
      cell: ({ lastDay }, { calendarDay }) => (lastDay === '' ? '' : calendarDay(lastDay)),
    },
  ];
}

/** Only the kinds of billing that occur have a column. */
function amountColumns(total: ToolModelFigures): readonly Column<ToolCostRow>[] {
  const shown = amounts.filter((amount) => textOf(total, amount, 2) !== null);
  const largest = shown.reduce((most, { field }) => {
    const nanoUsd = BigInt(total[field]);
    return nanoUsd > most ? nanoUsd : most;
  }, 0n);
  return shown.map((amount) => ({
    title: amount.title,
    align: 'right',
    dropOrder: 0,
    cell: (line) => textOf(line, amount, placesFor(largest)) ?? '–',
  }));
}

function textOf(
  figures: ToolModelFigures,
  { field, billing }: (typeof amounts)[number],
  decimals: number,
): string | null {
  const { unpricedCalls, unreportedCalls } = figures.byBilling[billing];
  const without = { unpricedRecords: unpricedCalls, unreportedRecords: unreportedCalls };
  return boundedText(BigInt(figures[field]), without, decimals);
}
