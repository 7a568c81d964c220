/** A digest for people: totals beside those of before, what spent most, and what to look at. */

import { grouped } from '@pi-ledger/contract/amounts';
import type { UsageRow } from '@pi-ledger/contract/answers';
import { figureTable } from '@pi-ledger/contract/spend-tables';
import type { Terminal } from '../../cli/command.ts';
import { labelColumns, labelsOf } from '../../cli/groupings.ts';
import { table } from '../../cli/output/answer.ts';
import { tableColumns } from '../../cli/output/answer-columns.ts';
import type { Note, Part, Table } from '../../cli/output/answer-parts.ts';
import { countOf } from '../../cli/output/counts.ts';
import { shortIds } from '../../cli/output/short-ids.ts';
import { inShell } from '../../process/hosts/install-line.ts';
import { budgetsNotes, budgetsTable } from '../budgets/print.ts';
import { compactionRows } from '../compactions/print/table.ts';
import { incompleteNotes, insightParts } from '../insights/print.ts';
import { usageNotes } from '../spend/print.ts';
import { sumFigures } from '../spend/sum-figures.ts';
import type { Digest } from './ask.ts';
import { totalsTable } from './totals.ts';

/** At most so many projects, models and sessions are listed. */
const rowsMax = 5;

export function digestParts(
  digest: Digest,
  terminal: Pick<Terminal, 'columns' | 'env'>,
): readonly Part[] {
  const { columns } = terminal;
  const { projects, models, sessions, insights, budgets } = digest;
  if (digest.total.records === 0) return [totalsTable(digest), ...budgetParts(budgets)];
  const ids = sessions.rows.flatMap(({ session }) => session ?? []);
  const nameOf = columns === null ? (id: string) => id : shortIds(ids);
  const named = sessions.rows.map((row) => ({ ...row, session: nameOf(row.session ?? '') }));
  return [
    totalsTable(digest),
    ...section('projects', topTable(projects.by, projects.rows), projects.rows.length),
    ...section('models', topTable(models.by, models.rows), models.rows.length),
    ...section('sessions', topTable(sessions.by, named), named.length),
    ...insightParts(insights.rows, terminal, 'what changed: '),
    ...compactionParts(digest, columns),
    ...budgetParts(budgets),
  ];
}

function section(title: string, rows: Table, count: number): readonly Part[] {
  const heading = count > rowsMax ? `${title}: ${rowsMax} of ${grouped(count)}` : title;
  return [{ heading }, rows];
}

/** Those that spent most, which the answer has first. */
function topTable(by: Parameters<typeof labelColumns>[0], rows: readonly UsageRow[]): Table {
  const top = rows.slice(0, rowsMax).map((row) => ({ ...row, labels: labelsOf(by, row) }));
  const figures = tableColumns(figureTable, { rows: top, total: sumFigures(top), cells: {} });
  return table({ columns: [...labelColumns<(typeof top)[number]>(by), ...figures], rows: top });
}

function compactionParts(
  { compactions: { rows, total } }: Digest,
  columns: number | null,
): readonly Part[] {
  const all = total.compactions;
  if (rows.length === 0) return [];
  const they = all === 1 ? 'it' : 'they';
  const shown = rows.length < all ? `, the newest ${rows.length}` : '';
  return [
    {
      heading: `${countOf(all, 'compaction')} cost more than ${they} saved${shown}`,
    },
    compactionRows(rows, { hasShortIds: columns !== null }),
  ];
}

function budgetParts(budgets: Digest['budgets']): readonly Part[] {
  return budgets === null || budgets.rows.length === 0
    ? []
    : [{ heading: 'budgets, as they stand now' }, budgetsTable(budgets.rows)];
}

/** What is not known, and how to see more. */
export function digestNotes(digest: Digest, filters: URLSearchParams): readonly Note[] {
  const { total, before, period, insights, budgets } = digest;
  const bounds = [`--since ${period.since} --until ${period.latest}`, ...flagsOf(filters)].join(
    ' ',
  );
  const more = insights.rowsLeftOut;
  const said = usageNotes(total);
  const ofBudgets = budgetsNotes(budgets?.rows ?? []);
  return [
    ...said,
    ...ofBudgets
      .filter(({ text }) => said.every((note) => note.text !== text))
      .map((note) => ({ ...note, text: `budgets: ${note.text}` })),
    ...(before.records === 0 ? [{ text: `nothing is recorded of the ${period.unit} before` }] : []),
    ...(filters.has('timezone') && insights.rows.length > 0
      ? [{ text: "what changed: each in the spender's own day" }]
      : []),
    ...incompleteNotes(insights),
    ...(more > 0
      ? [{ text: `${countOf(more, 'change')} left out`, next: `pi-ledger insights ${bounds}` }]
      : []),
    { text: 'the same numbers', next: `pi-ledger report ${bounds}` },
  ];
}

function flagsOf(filters: URLSearchParams): readonly string[] {
  return [...filters].map(([name, value]) => `--${name} ${inShell(value)}`);
}
