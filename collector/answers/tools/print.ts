/** Tools as a table: of all sessions, or of one. */

import { grouped } from '@pi-ledger/contract/amounts';
import type { ToolFigures, ToolRow } from '@pi-ledger/contract/answers';
import { table } from '../../cli/output/answer.ts';
import type { Note, Table } from '../../cli/output/answer-parts.ts';
import { countColumn } from '../../cli/output/counts.ts';
import type { Column } from '../../cli/output/table.ts';
import { percentileColumn, percentilesNote } from '../timings/print-percentiles.ts';

export function toolsTable(rows: readonly ToolRow[], total?: ToolFigures): Table {
  const totals = total === undefined ? [] : [{ tool: 'total', ...total }];
  return table({ columns, rows, totals });
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

const columns: readonly Column<ToolRow>[] = [
  { title: 'tool', align: 'left', dropOrder: 0, cell: ({ tool }) => tool },
  countColumn('calls', 0, ({ calls }) => calls),
  countColumn('failed', 0, ({ failures }) => failures),
  percentileColumn('p50', 1, ({ durationP50 }) => durationP50),
  percentileColumn('p95', 0, ({ durationP95 }) => durationP95),
  {
    title: 'result tokens',
    align: 'right',
    dropOrder: 2,
    cell: ({ resultTokensEstimated }, { count }) => `~${count(resultTokensEstimated)}`,
  },
  countColumn('files named', 3, ({ namedFiles }) => namedFiles),
];
