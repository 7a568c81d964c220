/** Insights as paragraphs: id, amount, sentence; below it reason and command. */

import { dollarText } from '@pi-ledger/contract/amounts';
import type { Importing, Insight, Insights } from '@pi-ledger/contract/answers';
import { importingLine } from '../../cli/client/importing.ts';
import type { Terminal } from '../../cli/command.ts';
import type { FilterOptions } from '../../cli/filters.ts';
import { printAnswer, table } from '../../cli/output/answer.ts';
import type { Drawn, Note, Part, Table } from '../../cli/output/answer-parts.ts';
import { countOf } from '../../cli/output/counts.ts';
import { firstLine } from '../../cli/output/first-line.ts';
import { formatTime } from '../../cli/output/format.ts';
import { shortIds } from '../../cli/output/short-ids.ts';
import type { Column } from '../../cli/output/table.ts';
import { wrap } from '../../cli/output/wrap.ts';
import { ownLine } from '../../cli/own-line.ts';

export interface InsightsPrinting {
  readonly wide?: boolean | undefined;
  readonly areHidden?: boolean;
  /** Filters and bounds, as typed. */
  readonly asked?: FilterOptions;
  /** Why the figures may be wrong. */
  readonly warnings?: readonly Note[];
  readonly importing?: Importing | null;
  /** Why there are none, where nothing is recorded. */
  readonly nothing?: string;
  readonly source?: string | null;
}

const billings = [
  { billing: 'metered', head: 'metered' },
  { billing: 'subscription', head: 'subscription, at list price, not billed' },
  { billing: 'unknown', head: 'billing unknown' },
] as const;

export function printInsights(
  answer: Insights,
  terminal: Terminal,
  { wide, areHidden = false, warnings = [], asked = {}, ...more }: InsightsPrinting,
): void {
  const { rows, since, until } = answer;
  const bounds = asked.until === undefined ? {} : { until };
  const id = shortestIds(rows);
  const { source = null, importing = null } = more;
  const none = areHidden ? 'no insight is hidden' : 'nothing to say about these days';
  printAnswer(terminal, {
    importing: importingLine(importing, terminal),
    first: firstLine({ ...asked, since, ...bounds }, terminal, {
      what: 'what changed and what it cost',
      source,
    }),
    body: rows.length === 0 ? [more.nothing ?? none] : insightParts(rows, terminal),
    notes: [...warnings, ...notesOf(answer, areHidden, id)],
    wide,
  });
}

/** By billing: paragraphs on a terminal, tables in a document. */
export function insightParts(
  rows: readonly Insight[],
  terminal: Pick<Terminal, 'env'>,
  about = '',
): readonly Part[] {
  const id = shortestIds(rows);
  const short = shortCommands(rows);
  const called = (row: Insight): Insight => ({ ...row, command: commandOf(row, terminal) });
  return billings.flatMap(({ billing, head }): Part[] => {
    const some = rows.filter((row) => row.billing === billing);
    if (some.length === 0) return [];
    const lines: Drawn['lines'] = ({ width }) =>
      paragraphs((width === null ? some : some.map(short)).map(called), id, width);
    return [{ heading: about + head }, { lines, table: insightsTable(some.map(called), id) }];
  });
}

/** Only its name is replaced: the rest quotes names of others. */
function commandOf({ command }: Insight, terminal: Pick<Terminal, 'env'>): string {
  const name = 'pi-ledger ';
  return command.startsWith(name) ? ownLine(terminal, command.slice(name.length)) : command;
}

function insightsTable(rows: readonly Insight[], idOf: (id: string) => string): Table {
  const text = (title: string, cell: (row: Insight) => string): Column<Insight> => ({
    title,
    align: 'left',
    dropOrder: 0,
    cell,
  });
  const columns: readonly Column<Insight>[] = [
    text('id', ({ id }) => idOf(id)),
    { ...text('amount', amountText), align: 'right' },
    text('what', ({ title }) => title),
    text('why', ({ reason }) => reason ?? ''),
    { ...text('command', ({ command }) => command), isCode: true },
  ];
  return table({ columns, rows });
}

function paragraphs(
  rows: readonly Insight[],
  idOf: (id: string) => string,
  width: number | null,
): readonly string[] {
  const amounts = rows.map(amountText);
  const widest = Math.max(...amounts.map(({ length }) => length));
  return rows.flatMap((row, index) => {
    const start = `${idOf(row.id)}  ${(amounts[index] ?? '').padStart(widest)}  `;
    const indent = ' '.repeat(start.length);
    const room = width === null ? null : Math.max(20, width - start.length);
    const [first = '', ...more] = wrap(row.title, room);
    const below = belowOf(row, room);
    const placed = (text: string) =>
      (width === null ? indent : indent.slice(0, Math.max(indentMin, width - text.length))) + text;
    return [start + first, ...[...more, ...below].map(placed)];
  });
}

/** A command is longer than the text: it may begin further left. */
const indentMin = 2;

/** Reason and command; side by side where there is room. */
function belowOf({ reason, command }: Insight, room: number | null): readonly string[] {
  const together = `${reason ?? ''}   ${command}`.trimStart();
  if (room !== null && together.length <= room) return [together];
  return [...wrap(reason ?? '', room), command].filter((text) => text !== '');
}

const marks = { exact: '', atLeast: '≥ ', atMost: '≤ ', estimated: '~' } as const;

function amountText({ nanoUsd, bound, isChange }: Insight): string {
  if (nanoUsd === null) return 'n/a';
  return `${marks[bound]}${isChange ? '+' : ''}${dollarText(BigInt(nanoUsd), 2)}`;
}

/** Commands with short ids, which these take; a name that looks like an id stays whole. */
function shortCommands(rows: readonly Insight[]): (row: Insight) => Insight {
  const behind = rows.flatMap((row) => row.rows.map(({ id }) => id));
  const named = rows.flatMap(({ command }) => takesId.exec(command)?.[2] ?? []);
  const nameOf = shortIds([...behind, ...named]);
  return (row) => ({
    ...row,
    command: row.command.replace(takesId, (_, start: string, id: string) => start + nameOf(id)),
  });
}

const takesId = /^(pi-ledger (?:context|sessions show|compactions show) )(\S+)$/;

const charsMin = 4;

/** As short as tells them apart. */
function shortestIds(rows: readonly Insight[]): (id: string) => string {
  const ids = rows.map(({ id }) => id);
  let chars = charsMin;
  while (chars < 8 && new Set(ids.map((id) => id.slice(0, chars))).size < ids.length) chars += 1;
  return (id) => id.slice(0, chars);
}

/** What was not looked at. */
export function incompleteNotes({ readAt, leftOut }: Insights): readonly Note[] {
  const asOf = readAt === null ? [] : [`as of ${formatTime(readAt)}: what came since is not in it`];
  return [...asOf, ...leftOut].map((text) => ({ text }));
}

function notesOf(answer: Insights, areHidden: boolean, idOf: (id: string) => string): Note[] {
  const { rows, rowsLeftOut, hiddenRows } = answer;
  const [first] = rows;
  const hint =
    first === undefined
      ? []
      : areHidden
        ? [{ text: 'show one again', next: `pi-ledger insights unhide ${idOf(first.id)}` }]
        : [{ text: 'hide one', next: `pi-ledger insights hide ${idOf(first.id)}` }];
  return [
    ...incompleteNotes(answer),
    ...(rowsLeftOut > 0
      ? [{ text: `${countOf(rowsLeftOut, 'smaller one')} left out`, next: '--limit' }]
      : []),
    ...(hiddenRows > 0
      ? [{ text: `${hiddenRows} hidden`, next: 'pi-ledger insights show-hidden' }]
      : []),
    ...hint,
  ];
}
