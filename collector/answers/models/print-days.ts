/** `pi-ledger models --by-day` as a table. */
import type { ModelDay } from '@pi-ledger/contract/answers';
import { table } from '../../cli/output/answer.ts';
import type { Note, Table } from '../../cli/output/answer-parts.ts';
import { countColumn } from '../../cli/output/counts.ts';
import type { Column } from '../../cli/output/table.ts';
import { percentileColumn, percentilesNote } from '../timings/print-percentiles.ts';
import { errorsText, speedText } from './print.ts';

const columns: readonly Column<ModelDay>[] = [
  {
    title: 'day',
    align: 'left',
    dropOrder: 0,
    cell: ({ day }, { calendarDay }) => calendarDay(day),
  },
  {
    title: 'model',
    align: 'left',
    dropOrder: 0,
    widthKept: 12,
    cell: ({ model }) => model ?? '(unknown)',
  },
  countColumn('answers', 1, ({ answers }) => answers),
  percentileColumn('p50', 0, ({ durationP50 }) => durationP50),
  percentileColumn('p95', 0, ({ durationP95 }) => durationP95),
  percentileColumn('first', 0, ({ firstP50 }) => firstP50),
  { title: 'tokens/s', align: 'right', dropOrder: 0, cell: speedText },
  { title: 'errors', align: 'right', dropOrder: 2, cell: errorsText },
  {
    title: 'provider',
    align: 'left',
    dropOrder: 3,
    cell: ({ provider }) => provider ?? '(unknown)',
  },
];

export function modelDaysTable(rows: readonly ModelDay[]): Table {
  return table({ columns, rows });
}

export function modelDaysNotes(rows: readonly ModelDay[]): readonly Note[] {
  return rows.some(({ timedAnswers }) => timedAnswers > 0) ? [percentilesNote] : [];
}
