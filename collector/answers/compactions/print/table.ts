/** Compactions as a table. Their totals are compaction-totals.ts. */

import { grouped } from '@pi-ledger/contract/amounts';
import type { Compaction, CompactionList } from '@pi-ledger/contract/answers';
import type { Terminal } from '../../../cli/command.ts';
import { printAnswer, table } from '../../../cli/output/answer.ts';
import type { Answer, Note, Table } from '../../../cli/output/answer-parts.ts';
import {
  amountText,
  durationText,
  kindNames,
  netText,
} from '../../../cli/output/compaction-row.ts';
import { shortIds } from '../../../cli/output/short-ids.ts';
import type { Column } from '../../../cli/output/table.ts';
import { totalNotes, totalsTable } from './totals.ts';

interface CompactionsShown
  extends Pick<Answer, 'first' | 'importing' | 'notes' | 'wide' | 'timeZone'> {
  /** Why there are none. */
  readonly nothing?: string;
}

export function printCompactions(
  { rows, total, byProject, byModel }: CompactionList,
  terminal: Terminal,
  { nothing = 'No compactions match.', notes = [], ...shown }: CompactionsShown,
): void {
  if (rows.length === 0) {
    printAnswer(terminal, { ...shown, body: [nothing], notes });
    return;
  }
  const all = total.compactions + total.branchSummaries + total.failures;
  const projects = byProject.map((each) => ({ ...each, label: each.project }));
  const models = byModel.map((each) => ({ ...each, label: each.model }));
  const isMore = all > rows.length;
  printAnswer(terminal, {
    ...shown,
    body: [
      compactionRows(rows, terminal, { wide: shown.wide === true }),
      ...(isMore
        ? [`the newest ${grouped(rows.length)} of ${grouped(all)}; the totals cover all`]
        : []),
      '',
      totalsTable('project', projects, total),
      ...(models.length > 1 ? ['', totalsTable('model', models, null)] : []),
    ],
    notes: [...notes, ...totalNotes(total), ...rowNotes(rows)],
  });
}

interface RowsShown {
  readonly wide?: boolean;
  /** The session is named elsewhere, so its columns are left out. */
  readonly isOneSession?: boolean;
}

export function compactionRows(
  rows: readonly Compaction[],
  { columns }: Pick<Terminal, 'columns'>,
  { wide = false, isOneSession = false }: RowsShown = {},
): Table {
  const isShort = columns !== null && !wide;
  const namesOf = (ids: readonly string[]) => (isShort ? shortIds(ids) : (id: string) => id);
  const names = {
    idOf: namesOf(rows.map(({ id }) => id)),
    sessionOf: namesOf(rows.map(({ session }) => session)),
  };
  return table({ columns: columnsOf(rows, names, isOneSession), rows });
}

const nameWidthMax = 24;

interface Names {
  idOf(id: string): string;
  sessionOf(id: string): string;
}

function columnsOf(
  rows: readonly Compaction[],
  { idOf, sessionOf }: Names,
  isOneSession: boolean,
): Column<Compaction>[] {
  const isUnknownUsed = rows.some(({ billing }) => billing === 'unknown');
  const left = (
    title: string,
    dropOrder: number,
    text: (row: Compaction) => string | null,
  ): Column<Compaction> => ({
    title,
    align: 'left',
    dropOrder,
    widthMax: nameWidthMax,
    cell: (row) => text(row) ?? '',
  });
  const place = [
    left('project', 4, ({ project }) => project ?? '(unknown)'),
    left('session', 10, ({ session }) => sessionOf(session)),
  ];
  return [
    { title: 'id', align: 'left', dropOrder: 0, cell: ({ id }) => idOf(id) },
    { title: 'when', align: 'left', dropOrder: 1, cell: ({ time }, writing) => writing.time(time) },
    cost('metered', 'metered'),
    cost('subscription', 'subscription'),
    ...(isUnknownUsed ? [cost('billing unknown', 'unknown')] : []),
    {
      title: 'net',
      align: 'right',
      dropOrder: 0,
      cell: (row) => (row.kind === 'compaction' ? netText(row) : '–'),
    },
    { title: 'saved', align: 'right', dropOrder: 2, cell: savedText },
    count('re-read', 3, (row) => (row.kind === 'compaction' ? row.regretReads : null)),
    ...(isOneSession ? [] : place),
    left('what', 5, whatText),
    count('before', 6, (row) => row.tokensBefore),
    { title: 'after', align: 'right', dropOrder: 7, cell: afterText },
    left('trigger', 8, ({ trigger }) => trigger),
    left('model', 9, ({ model }) => model),
    {
      title: 'took',
      align: 'right',
      dropOrder: 11,
      cell: ({ durationMs }) => (durationMs === null ? '' : durationText(durationMs)),
    },
  ];
}

/** What the summary cost, under its billing. */
function cost(title: string, billing: Compaction['billing']): Column<Compaction> {
  const cell = (row: Compaction) => (row.billing === billing ? amountText(row.costNanoUsd) : '–');
  return { title, align: 'right', dropOrder: 0, cell };
}

function count(
  title: string,
  dropOrder: number,
  figure: (row: Compaction) => number | null,
): Column<Compaction> {
  return {
    title,
    align: 'right',
    dropOrder,
    cell: (row, writing) => {
      const value = figure(row);
      return value === null ? '' : writing.count(value);
    },
  };
}

/** Short names, so that the table fits. */
function whatText({ kind }: Compaction): string {
  return kind === 'branchSummary' ? 'branch' : kindNames[kind];
}

type Cell = Column<Compaction>['cell'];

/** The host's estimate until an answer has measured it. */
const afterText: Cell = ({ tokensAfterMeasured, tokensAfterEstimated }, { count: write }) => {
  if (tokensAfterMeasured !== null) return write(tokensAfterMeasured);
  return tokensAfterEstimated === null ? '' : `~${write(tokensAfterEstimated)}`;
};

const savedText: Cell = ({ tokensAfterMeasured, savedTokens }, { count: write }) => {
  if (savedTokens === null) return '';
  return `${tokensAfterMeasured === null ? '~' : ''}${write(savedTokens)}`;
};

function rowNotes(rows: readonly Compaction[]): Note[] {
  const isEstimated = rows.some(
    (row) => row.tokensAfterMeasured === null && row.tokensAfterEstimated !== null,
  );
  return isEstimated
    ? [{ mark: '~', text: 'estimated by the host: no answer has followed yet' }]
    : [];
}
