/** How much of plans' windows was used over days, as a table. */
import type { QuotaHistory, QuotaHistoryRow } from '@pi-ledger/contract/answers';
import type { Terminal } from '../../cli/command.ts';
import { printAnswer, table } from '../../cli/output/answer.ts';
import type { Note } from '../../cli/output/answer-parts.ts';
import { countColumn, countOf } from '../../cli/output/counts.ts';
import { formatDay, formatTime } from '../../cli/output/format.ts';
import type { Column } from '../../cli/output/table.ts';
import type { QuotaPrinting } from './print.ts';

type Row = QuotaHistoryRow;

export function printQuotaHistory(
  answer: QuotaHistory,
  terminal: Terminal,
  { wide, warnings }: QuotaPrinting,
): void {
  const { rows, since, until } = answer;
  const days =
    since === until ? formatDay(since, '') : `${formatDay(since, '')} to ${formatDay(until, '')}`;
  printAnswer(terminal, {
    first: `what was used of plans' windows, ${days}, days in UTC`,
    body:
      rows.length === 0
        ? ["no provider reported any use of a plan's window in these days"]
        : [table({ columns: columnsOf(rows), rows })],
    notes: [...warnings, ...notesOf(answer)],
    wide,
  });
}

function columnsOf(rows: readonly Row[]): readonly Column<Row>[] {
  const byUser = rows.some(({ user }) => user !== null);
  return [
    {
      title: 'provider',
      align: 'left',
      dropOrder: 0,
      cell: ({ provider }) => provider ?? '(unknown)',
    },
    { title: 'window', align: 'left', dropOrder: 0, cell: ({ name }) => name },
    byUser
      ? { title: 'user', align: 'left', dropOrder: 0, cell: ({ user }) => user ?? '(unknown)' }
      : countColumn('users', 1, ({ users }) => users),
    countColumn('windows', 0, ({ windows }) => windows),
    {
      title: 'used',
      align: 'right',
      dropOrder: 0,
      cell: ({ usedWindows }) => inWindows(usedWindows),
    },
    countColumn('full', 0, ({ fullWindows }) => fullWindows),
    {
      title: 'most at once',
      align: 'right',
      dropOrder: 0,
      cell: ({ peakWindows }) => inWindows(peakWindows),
    },
    { title: 'on', align: 'left', dropOrder: 2, cell: ({ peakAt }, { time }) => time(peakAt) },
    {
      title: 'plans needed',
      align: 'right',
      dropOrder: 0,
      cell: ({ plansNeeded, fullWindows }) => `${fullWindows > 0 ? '≥ ' : ''}${plansNeeded}`,
    },
  ];
}

function inWindows(windows: number): string {
  return windows.toFixed(2);
}

function notesOf({ rows, readAt, isPartial }: QuotaHistory): readonly Note[] {
  const full = rows.reduce((sum, { fullWindows }) => sum + fullWindows, 0);
  const notes: (Note | false)[] = [
    rows.length > 0 && {
      text: 'used, most at once: in windows, as told; what other programs used is in it',
    },
    rows.length > 0 && {
      text: 'plans needed: with so many, a tenth would have been left at the busiest time',
    },
    full > 0 && { mark: '≥', text: `${countOf(full, 'window')} full: more might have been used` },
    isPartial && { text: 'only the latest 20,000 sessions that were told of windows are in it' },
    readAt !== null && { text: `as of ${formatTime(readAt)}: what was told since is not in it` },
  ];
  return notes.filter((note) => note !== false);
}
