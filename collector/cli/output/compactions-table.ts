/** Compactions as a table, and their totals. */

import type { Compaction, CompactionList, CompactionTotals } from '@pi-ledger/contract/answers';
import type { Terminal } from '../command.ts';
import { amountText, durationText, kindNames } from './compaction-row.ts';
import { formatCount, formatTime } from './format.ts';
import { shortIds } from './short-ids.ts';
import { type Column, printTable } from './table.ts';
import { countOf } from './usage-table.ts';

interface Shown {
  /** Undefined: the reader's own. */
  readonly timeZone?: string | undefined;
  /** The session is named elsewhere, so its columns are left out. */
  readonly isOneSession?: boolean;
}

export function printCompactions(
  answer: CompactionList,
  terminal: Terminal,
  timeZone?: string,
): void {
  const { rows, total, byProject, byModel } = answer;
  if (rows.length === 0) {
    terminal.print('No compactions match.');
    return;
  }
  printRows(rows, terminal, { timeZone });
  const all = total.compactions + total.branchSummaries + total.failures;
  if (all > rows.length)
    terminal.print(
      `The newest ${formatCount(rows.length)} of ${formatCount(all)}; the totals cover all.`,
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
  printTable(terminal, columnsOf(shown, idOf, sessionOf), rows);
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

/** Short names, so that the table fits. */
function whatText({ kind }: Compaction): string {
  return kind === 'branchSummary' ? 'branch' : kindNames[kind];
}

/** The host's estimate until an answer has measured it. */
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
  printTable(terminal, columns, lines, total === null ? [] : [{ ...total, label: 'total' }]);
}

/** An unknown cost is n/a, never $0. */
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
      `${countOf(total.unreportedCosts, 'summary', 'summaries')} at unknown cost (n/a: not ` +
        'reported, or no price; not $0), not in the totals.',
    );
  }
  if (rows.some((row) => row.tokensAfterMeasured === null && row.tokensAfterEstimated !== null)) {
    notes.push('~ estimated by the host: no answer has followed yet.');
  }
  if (total.regretReads > 0) {
    const reads = countOf(total.regretReads, 'file read');
    notes.push(
      `re-read: ${reads} repeated within 10 turns (${countOf(total.regretTokens, 'token')}); ` +
        `regret: after ${formatCount(total.regrettedCompactions)} of ` +
        `${countOf(total.compactions, 'compaction')}. \`compactions show ID\` lists the files.`,
    );
  }
  return notes;
}
