/** `pi-ledger models --by-day` as a table. */
import type { ModelDay } from '@pi-ledger/contract/answers';
import { modelDayTable } from '@pi-ledger/contract/columns/models';
import { table } from '../../cli/output/answer.ts';
import { tableColumns } from '../../cli/output/answer-columns.ts';
import type { Note, Table } from '../../cli/output/answer-parts.ts';
import { percentilesNote } from '../../cli/output/percentiles.ts';

export function modelDaysTable(rows: readonly ModelDay[]): Table {
  return table({ columns: tableColumns(modelDayTable, { rows, cells: {} }), rows });
}

export function modelDaysNotes(rows: readonly ModelDay[]): readonly Note[] {
  return rows.some(({ timedAnswers }) => timedAnswers > 0) ? [percentilesNote] : [];
}
