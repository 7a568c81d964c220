/** An answer as a document for others: nothing is cut, every note stands, no text is trusted. */
import { sanitizeLine } from '@pi-ledger/core/text/sanitize';
import type { Terminal } from '../command.ts';
import type { Answer, DailySpend, Note, Part } from '../output/answer-parts.ts';
import type { Cells } from '../output/table.ts';
import { type Writing, writingOf } from '../output/writing.ts';
import { asCalled } from '../own-line.ts';

/** Texts are sanitized, and not yet escaped. */
export interface Document {
  readonly title: string;
  readonly blocks: readonly Block[];
  readonly notes: readonly Note[];
}

export type Block =
  | { readonly is: 'heading' | 'line'; readonly text: string }
  | { readonly is: 'table'; readonly cells: Cells }
  | { readonly is: 'chart'; readonly days: DailySpend['days']; readonly cells: Cells };

export function documentOf(
  { importing, first, body, notes = [], timeZone }: Answer,
  terminal: Pick<Terminal, 'env'>,
): Document {
  const zone = new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone;
  const writing = writingOf({ isShort: false, now: null, timeZone });
  const { watched, isTimed } = watching(writing);
  const blocks = [...(importing ? [importing] : []), ...body].flatMap((part) =>
    blocksOf(part, watched),
  );
  const timed: Note = { text: `times are those of ${zone}` };
  return {
    title: sanitizeLine(textOf(first ?? '')),
    blocks,
    notes: [
      ...notes.filter(({ is }) => is === 'warning'),
      ...notes.filter(({ is }) => is !== 'warning'),
      ...(isTimed() ? [timed] : []),
    ].map((note) => safeNote(note, terminal)),
  };
}

function blocksOf(part: Part, writing: Writing): readonly Block[] {
  if (typeof part === 'function') return [{ is: 'table', cells: safeCells(part(writing)) }];
  if (typeof part === 'string' || 'text' in part) return lineBlocks(textOf(part));
  if ('heading' in part) return [{ is: 'heading', text: sanitizeLine(part.heading) }];
  if ('chart' in part) {
    const { days, table } = part.chart;
    return [{ is: 'chart', days, cells: safeCells(table(writing)) }];
  }
  return [{ is: 'table', cells: safeCells(part.table(writing)) }];
}

/** An empty line is space between parts, which documents have anyway. */
function lineBlocks(text: string): readonly Block[] {
  const words = sanitizeLine(text).trim();
  return words === '' ? [] : [{ is: 'line', text: words }];
}

function textOf(line: Extract<Part, string | { text: string }>): string {
  return typeof line === 'string' ? line : line.text;
}

function safeCells({ columns, totals }: Cells): Cells {
  return {
    columns: columns.map(({ cells, ...column }) => ({ ...column, cells: cells.map(sanitizeLine) })),
    totals,
  };
}

function safeNote({ text, next, ...note }: Note, terminal: Pick<Terminal, 'env'>): Note {
  const said = { ...note, text: sanitizeLine(asCalled(terminal, text)) };
  return next === undefined ? said : { ...said, next: sanitizeLine(asCalled(terminal, next)) };
}

/** Whether an hour was written, which means nothing without its zone. */
function watching(writing: Writing) {
  let isTimed = false;
  const noting =
    (write: Writing['day']): Writing['day'] =>
    (iso) => {
      isTimed ||= iso !== null;
      return write(iso);
    };
  return {
    watched: { ...writing, day: noting(writing.day), time: noting(writing.time) },
    isTimed: () => isTimed,
  };
}
