/** Tools as a table: of all sessions, or of one. */

import { grouped } from '@pi-ledger/contract/amounts';
import type { ToolFigures, ToolRow } from '@pi-ledger/contract/answers';
import { toolTable } from '@pi-ledger/contract/columns/tools';
import { table } from '../../cli/output/answer.ts';
import { tableColumns } from '../../cli/output/answer-columns.ts';
import type { Note, Table } from '../../cli/output/answer-parts.ts';
import { percentilesNote } from '../../cli/output/percentiles.ts';

export function toolsTable(rows: readonly ToolRow[], total?: ToolFigures): Table {
  const totals = total === undefined ? [] : [{ tool: 'total', ...total }];
  return table({ columns: tableColumns(toolTable, { rows, cells: {} }), rows, totals });
}

export function toolsNotes({ calls, timedCalls }: ToolFigures): readonly Note[] {
  const untimed = calls - timedCalls;
  return [
    { ...percentilesNote, text: 'percentiles are interpolated; tokens of results are estimated' },
    ...(untimed > 0
      ? [{ mark: 'n/a' as const, text: `${grouped(untimed)} calls have no known duration` }]
      : []),
  ];
}
