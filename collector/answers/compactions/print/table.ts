/** Compactions as a table. Their totals are compaction-totals.ts. */

import { grouped } from '@pi-ledger/contract/amounts';
import type { Compaction, CompactionList } from '@pi-ledger/contract/answers';
import { compactionTable } from '@pi-ledger/contract/columns/compactions';
import type { Terminal } from '../../../cli/command.ts';
import { printAnswer, table } from '../../../cli/output/answer.ts';
import { tableColumns } from '../../../cli/output/answer-columns.ts';
import type { Answer, Note, Table } from '../../../cli/output/answer-parts.ts';
import { kindNames, netText } from '../../../cli/output/compaction-row.ts';
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
      compactionRows(rows),
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
  /** The session is named elsewhere, so its columns are left out. */
  readonly isOneSession?: boolean;
  /** Ids are short although all columns may be shown. */
  readonly hasShortIds?: boolean;
}

export function compactionRows(
  rows: readonly Compaction[],
  { isOneSession = false, hasShortIds = false }: RowsShown = {},
): Table {
  const without = isOneSession ? (['project', 'session'] as const) : [];
  const shown = { ...cells, ...(hasShortIds ? idCells(rows) : {}) };
  return table({ columns: tableColumns(compactionTable, { rows, cells: shown, without }), rows });
}

function idCells(rows: readonly Compaction[]) {
  const idOf = shortIds(rows.map(({ id }) => id));
  const sessionOf = shortIds(rows.map(({ session }) => session));
  return {
    id: ({ id }: Compaction) => idOf(id),
    session: ({ session }: Compaction) => sessionOf(session),
  };
}

/** Short names, so that the table fits. */
function whatText({ kind }: Compaction): string {
  return kind === 'branchSummary' ? 'branch' : kindNames[kind];
}

type Cell = Column<Compaction>['cell'];

const readAgainText: Cell = ({ kind, regretReads }, { count: write }) =>
  kind !== 'compaction' || regretReads === null ? '' : write(regretReads);

/** The host's estimate until an answer has measured it. */
const afterText: Cell = ({ tokensAfterMeasured, tokensAfterEstimated }, { count: write }) => {
  if (tokensAfterMeasured !== null) return write(tokensAfterMeasured);
  return tokensAfterEstimated === null ? '' : `~${write(tokensAfterEstimated)}`;
};

const savedText: Cell = ({ tokensAfterMeasured, savedTokens }, { count: write }) => {
  if (savedTokens === null) return '';
  return `${tokensAfterMeasured === null ? '~' : ''}${write(savedTokens)}`;
};

const cells = {
  net: (row: Compaction) => (row.kind === 'compaction' ? netText(row) : '–'),
  saved: savedText,
  readAgain: readAgainText,
  what: whatText,
  after: afterText,
};

function rowNotes(rows: readonly Compaction[]): Note[] {
  const isEstimated = rows.some(
    (row) => row.tokensAfterMeasured === null && row.tokensAfterEstimated !== null,
  );
  return isEstimated
    ? [{ mark: '~', text: 'estimated by the host: no answer has followed yet' }]
    : [];
}
