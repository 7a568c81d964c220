/** `pi-ledger tools --costs` and `--by-model` as tables. */

import type { ToolCostList, ToolModelFigures, ToolModelList } from '@pi-ledger/contract/answers';
import { toolCostTable, toolModelTable } from '@pi-ledger/contract/columns/tools';
import { table } from '../../cli/output/answer.ts';
import { tableColumns } from '../../cli/output/answer-columns.ts';
import type { Note, Table } from '../../cli/output/answer-parts.ts';
import { countOf } from '../../cli/output/counts.ts';

export function toolModelsTable({ rows, total }: ToolModelList): Table {
  const totals = [{ tool: 'total', provider: '', model: '', lastDay: '', ...total }];
  const columns = tableColumns(toolModelTable, { rows, total, cells: {} });
  return table({ columns, rows, totals });
}

export function toolCostsTable({ rows, total }: ToolCostList): Table {
  const totals = [{ tool: 'total', lastDay: '', ...total }];
  return table({ columns: tableColumns(toolCostTable, { rows, total, cells: {} }), rows, totals });
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
