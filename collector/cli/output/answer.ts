/**
 * The one way to print an answer: what it is, its tables and lines, then notes, and nothing after
 * the notes.
 *
 *     printAnswer(terminal, {
 *       first: firstLine(options, terminal, { what: 'by project', source: client.source }),
 *       body: [table({ columns, rows, totals })],           // also plain lines; '' is an empty one
 *       notes: [
 *         { mark: '≥', text: '12 records have no price', next: 'pi-ledger models --unpriced' },
 *         { text: 'subscription: at list price, not billed' },
 *         { is: 'warning', text: '3 events are missing from these figures' },
 *       ],
 *       wide: options.wide,                                 // `addWideOption(command)`
 *       timeZone: options.timezone,
 *     });
 *
 * Columns (table.ts): what people look for stands first with `dropOrder: 0`, the rest goes by the
 * width, and what is hidden is said in one line. `cell(row, writing)`: `writing.count(n)` is
 * `1.08G` below 120 columns and exact elsewhere, `writing.day(iso)` is `today 19:33` or
 * `Tue 17 Nov`; a pipe and `--wide` have both in full. Money: `formatNanoUsd`; usage figures:
 * `usageColumns` and `usageNotes` (answers/spend/print.ts). Marks are text, left of the amount:
 * `≥ $94.99`.
 */
import type { Command } from 'commander';
import type { Terminal } from '../command.ts';
import type { Line } from '../line.ts';
import { asCalled } from '../own-line.ts';
import type { Answer, Note, Part, Table } from './answer-parts.ts';
import { type Column, cellsOf, drawTable, type RenderedTable, type TableStyle } from './table.ts';
import { sayLine } from './wrap.ts';
import { type Writing, writingOn } from './writing.ts';

export function table<Row>(parts: {
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly totals?: readonly Row[];
}): Table {
  return (writing) => cellsOf(parts.columns, parts.rows, parts.totals ?? [], writing);
}

export function addWideOption(command: Command): Command {
  return command.option('--wide', 'print all columns and full figures, however wide that is');
}

/** Without warnings, and with the line that says what is hidden. */
const notesMax = 4;

/** Prints lines, or hands the answer to the document that is made of it. */
export function printAnswer(terminal: Terminal, answer: Answer): void {
  if (terminal.document === undefined) printLines(terminal, answer);
  else terminal.document.take(answer);
}

function printLines(terminal: Terminal, answer: Answer): void {
  const { first, body, notes = [], wide = false } = answer;
  const drawn = drawingOf(terminal, answer);
  if (answer.importing) terminal.print(answer.importing);
  const say = (line: Line) => sayLine(terminal, line);
  if (first !== undefined && first !== null && first !== '') say(first);
  let hidden = 0;
  for (const part of body) {
    const rendered = drawn(part);
    hidden = Math.max(hidden, rendered.hidden);
    for (const line of rendered.lines) (isSentence(part) ? say : terminal.print)(line);
  }
  const isAll = wide || terminal.columns === null;
  const called = notes.map(({ text, next, ...note }) => ({
    ...note,
    text: asCalled(terminal, text),
    ...(next === undefined ? {} : { next: asCalled(terminal, next) }),
  }));
  const lines = noteLines(called, hidden, isAll ? Number.POSITIVE_INFINITY : notesMax);
  if (lines.length > 0 && body.length > 0) terminal.print('');
  for (const line of lines) say(line);
}

/** What is drawn has its own width. */
function isSentence(part: Part): boolean {
  return typeof part === 'string' || (typeof part === 'object' && 'text' in part);
}

function drawingOf(
  { columns, colour, utf8, now }: Terminal,
  { wide = false, timeZone }: Answer,
): (part: Part) => RenderedTable {
  const style = { width: wide ? null : columns, colour, utf8 };
  const writing = writingOn({ columns: style.width, now }, timeZone);
  return (part) => {
    if (typeof part === 'function') return drawTable(part(writing), style);
    return { lines: linesOf(part, style, writing), hidden: 0 };
  };
}

function linesOf(part: Exclude<Part, Table>, style: TableStyle, writing: Writing): readonly Line[] {
  if (typeof part === 'string' || 'text' in part) return [part];
  if ('heading' in part) return ['', { text: part.heading, style: 'dim' }];
  return 'lines' in part ? part.lines(style, writing) : [];
}

function noteLines(notes: readonly Note[], hidden: number, max: number): readonly Line[] {
  const warnings = notes.filter(({ is }) => is === 'warning');
  const others = notes.filter(({ is }) => is !== 'warning');
  const isRoom = others.length + (hidden > 0 ? 1 : 0) <= max;
  const shown = isRoom ? others : others.slice(0, max - 1);
  const left = others.length - shown.length;
  const goneTexts = [
    ...(left > 0 ? [`${left} more note${left === 1 ? '' : 's'}`] : []),
    ...(hidden > 0 ? [`${hidden} column${hidden === 1 ? '' : 's'} hidden`] : []),
  ];
  return [
    ...warnings.map((note): Line => ({ text: `warning: ${sentenceOf(note)}`, style: 'warning' })),
    ...shown.map((note) => `${(note.mark ?? '').padEnd(2)} ${sentenceOf(note)}`),
    ...(goneTexts.length > 0 ? [`   ${goneTexts.join(', ')}: --wide`] : []),
  ];
}

function sentenceOf({ text, next }: Note): string {
  return next === undefined ? text : `${text}: ${next}`;
}
