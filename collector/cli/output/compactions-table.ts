/** Compactions as a table for people, and what they come to. */

import type { Compaction, CompactionList, CompactionTotals } from '@pi-ledger/contract/answers';
import type { Terminal } from '../command.ts';
import { amountText, durationText, kindNames } from './compaction-row.ts';
import { formatCount, formatTime } from './format.ts';
import { shortIds } from './short-ids.ts';
import { type Column, renderTable } from './table.ts';
import { countOf } from './usage-table.ts';

interface Shown {
  /** The reader's own when there is none. */
  readonly timeZone?: string | undefined;
  /** Of one session: its name is said elsewhere. */
  readonly isOneSession?: boolean;
}

export function printCompactions(
  answer: CompactionList,
  terminal: Terminal,
  timeZone?: string,
): void {
  const { rows, total, byProject, byModel } = answer;
  if (rows.length === 0) {
    terminal.print('No compaction is recorded for this.');
    return;
  }
  printRows(rows, terminal, { timeZone });
  const all = total.compactions + total.branchSummaries + total.failures;
  if (all > rows.length)
    terminal.print(
      `The newest ${formatCount(rows.length)} of ${formatCount(all)}; the totals are of all.`,
    );
  terminal.print('');
  printTotals(
    'project',
    byProject.map((each) => ({ ...each, label: each.project })),
    total,
    terminal,
  );
  if (byModel.length > 1) {
    terminal.print('');
    printTotals(
      'model',
      byModel.map((each) => ({ ...each, label: each.model })),
      null,
      terminal,
    );
  }
  for (const note of notesOf(rows, total)) terminal.print(note);
}

export function printRows(
  rows: readonly Compaction[],
  terminal: Terminal,
  shown: Shown = {},
): void {
  const isShort = terminal.columns !== null;
  const idOf = isShort ? shortIds(rows.map(({ id }) => id)) : (id: string) => id;
  const sessionOf = isShort ? shortIds(rows.map(({ session }) => session)) : (id: string) => id;
  const columns = columnsOf(shown, idOf, sessionOf);
  for (const line of renderTable(columns, rows, null, {
    width: terminal.columns,
    colour: terminal.colour,
  }))
    terminal.print(line);
}

const nameWidthMax = 24;

function columnsOf(
  { timeZone, isOneSession = false }: Shown,
  idOf: (id: string) => string,
  sessionOf: (id: string) => string,
): Column<Compaction>[] {
  const place: Column<Compaction>[] = [
    {
      title: 'project',
      align: 'left',
      dropOrder: 4,
      widthMax: nameWidthMax,
      cell: (row) => row.project ?? '(unknown)',
    },
    { title: 'session', align: 'left', dropOrder: 5, cell: (row) => sessionOf(row.session) },
  ];
  return [
    { title: 'id', align: 'left', dropOrder: 0, cell: (row) => idOf(row.id) },
    { title: 'when', align: 'left', dropOrder: 1, cell: (row) => formatTime(row.time, timeZone) },
    { title: 'what', align: 'left', dropOrder: 0, cell: whatText },
    ...(isOneSession ? [] : place),
    { title: 'trigger', align: 'left', dropOrder: 3, cell: (row) => row.trigger ?? '' },
    {
      title: 'model',
      align: 'left',
      dropOrder: 8,
      widthMax: nameWidthMax,
      cell: (row) => row.model ?? '',
    },
    count('before', 0, (row) => row.tokensBefore),
    { title: 'after', align: 'right', dropOrder: 0, cell: afterText },
    { title: 'saved', align: 'right', dropOrder: 2, cell: savedText },
    {
      title: 'cost',
      align: 'right',
      dropOrder: 0,
      cell: (row) => (row.kind === 'failure' ? '' : amountText(row.costNanoUsd)),
    },
    {
      title: 'took',
      align: 'right',
      dropOrder: 7,
      cell: (row) => (row.durationMs === null ? '' : durationText(row.durationMs)),
    },
    count('re-read', 0, (row) => (row.kind === 'compaction' ? row.regretReads : null)),
    {
      title: 'net',
      align: 'right',
      dropOrder: 6,
      cell: (row) => (row.kind === 'compaction' ? amountText(row.netNanoUsd) : ''),
    },
  ];
}

function count(
  title: string,
  dropOrder: number,
  figure: (row: Compaction) => number | null,
): Column<Compaction> {
  const cell = (row: Compaction) => {
    const value = figure(row);
    return value === null ? '' : formatCount(value);
  };
  return { title, align: 'right', dropOrder, cell };
}

/** Short, so that the table fits. */
function whatText({ kind }: Compaction): string {
  return kind === 'branchSummary' ? 'branch' : kindNames[kind];
}

/** The host's estimate stands in until an answer has measured it. */
function afterText({ tokensAfterMeasured, tokensAfterEstimated }: Compaction): string {
  if (tokensAfterMeasured !== null) return formatCount(tokensAfterMeasured);
  return tokensAfterEstimated === null ? '' : `~${formatCount(tokensAfterEstimated)}`;
}

function savedText({ tokensAfterMeasured, savedTokens }: Compaction): string {
  if (savedTokens === null) return '';
  return `${tokensAfterMeasured === null ? '~' : ''}${formatCount(savedTokens)}`;
}

type Line = CompactionTotals & { readonly label: string | null };

function printTotals(
  title: string,
  lines: readonly Line[],
  total: CompactionTotals | null,
  terminal: Terminal,
): void {
  const columns: Column<Line>[] = [
    { title, align: 'left', dropOrder: 0, cell: ({ label }) => label ?? '(unknown)' },
    {
      title: 'compactions',
      align: 'right',
      dropOrder: 0,
      cell: (line) => formatCount(line.compactions),
    },
    { title: 'failed', align: 'right', dropOrder: 0, cell: (line) => formatCount(line.failures) },
    {
      title: 'branch summaries',
      align: 'right',
      dropOrder: 5,
      cell: (line) => formatCount(line.branchSummaries),
    },
    { title: 'saved', align: 'right', dropOrder: 1, cell: (line) => formatCount(line.savedTokens) },
    { title: 'cost', align: 'right', dropOrder: 0, cell: costOf },
    {
      title: 're-read',
      align: 'right',
      dropOrder: 2,
      cell: (line) => formatCount(line.regretReads),
    },
    { title: 'regret', align: 'right', dropOrder: 3, cell: rateText },
    { title: 'net', align: 'right', dropOrder: 4, cell: netOf },
  ];
  const last = total === null ? null : { ...total, label: 'total' };
  const style = { width: terminal.columns, colour: terminal.colour };
  for (const line of renderTable(columns, lines, last, style)) terminal.print(line);
}

/** Where nobody knows it: n/a, never $0. */
function costOf({ costNanoUsd, unreportedCosts, compactions, branchSummaries }: Line): string {
  const summaries = compactions + branchSummaries;
  if (summaries === 0) return '–';
  return unreportedCosts === summaries ? 'n/a' : amountText(costNanoUsd);
}

function netOf({ netNanoUsd, unknownNets, compactions }: Line): string {
  if (compactions === 0) return '–';
  return unknownNets === compactions ? 'n/a' : amountText(netNanoUsd);
}

function rateText({ regretRate }: Line): string {
  return regretRate === null ? '' : `${Math.round(regretRate * 100)} %`;
}

function notesOf(rows: readonly Compaction[], total: CompactionTotals): string[] {
  const notes: string[] = [];
  if (total.unreportedCosts > 0) {
    notes.push(
      `${countOf(total.unreportedCosts, 'summary', 'summaries')} whose cost is not known (n/a; not reported, or without a price): not free, and in no sum.`,
    );
  }
  if (rows.some((row) => row.tokensAfterMeasured === null && row.tokensAfterEstimated !== null)) {
    notes.push("~ the host's estimate: no answer has come after it yet.");
  }
  if (total.regretReads > 0) {
    const reads = `re-read: ${countOf(total.regretReads, 'time')} (${countOf(total.regretTokens, 'token')}) within 10 turns, of files that had been read before`;
    const rate = `regret: after ${countOf(total.regrettedCompactions, 'compaction')} of ${formatCount(total.compactions)}`;
    notes.push(`${reads}; ${rate}. \`compactions show ID\` names the files.`);
  }
  return notes;
}
