/**
 * Lists in three formats: JSON (the whole answer), NDJSON (a row per line) and CSV (RFC 4180, with
 * a header line).
 *
 * CSV and NDJSON contain rows only; a `Link` header names the next page. A CSV cell is one line
 * without control characters (core/text/sanitize.ts), and starts with an apostrophe if a
 * spreadsheet would take it for a formula. Beside each amount (`meteredNanoUsd`), CSV has the same
 * in dollars (`meteredUsd`), as an exact decimal.
 */

import { exactUsd } from '@pi-ledger/contract/amounts';
import type { Answers, Operation } from '@pi-ledger/contract/answers';
import { sanitizeLine } from '@pi-ledger/core/text/sanitize';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { inTurns } from '../timers/in-turns.ts';
import { jsonLine } from './json-line.ts';
import type { Format } from './parameters.ts';

type ListOperation = { [Name in Operation]: Answers[Name] extends List ? Name : never }[Operation];

interface List {
  readonly rows: readonly object[];
  readonly next: string | null;
}

export interface SentList<Name extends ListOperation> {
  /** The columns of the CSV, in order, without those in dollars. */
  readonly columns: readonly string[];
  readonly answer: Answers[Name];
}

/** In turns with others: a page may have a thousand rows of a hundred cells. */
export async function sendList<Name extends ListOperation>(
  _name: Name,
  request: FastifyRequest,
  reply: FastifyReply,
  { columns, answer }: SentList<Name>,
): Promise<FastifyReply> {
  const format =
    (request.query as { format?: Format }).format ?? acceptedFormat(request.headers.accept);
  reply.header('vary', 'accept');
  if (format === 'json') return reply.type('application/json').send(await toJson(answer));
  if (answer.next !== null) reply.header('link', nextLink(request, answer.next));
  if (format === 'csv') {
    const lines = await texts(answer.rows, csvLines(columns));
    const text = csvHeader(columns) + lines.join('');
    return reply.type('text/csv; charset=utf-8; header=present').send(text);
  }
  const lines = await texts(answer.rows, (row) => `${jsonLine(JSON.stringify(row))}\n`);
  return reply.type('application/x-ndjson').send(lines.join(''));
}

/** As `JSON.stringify` writes it. */
async function toJson(answer: List): Promise<string> {
  const fields: string[] = [];
  for (const [name, value] of Object.entries(answer)) {
    if (value === undefined) continue;
    const text =
      value === answer.rows
        ? `[${(await texts(answer.rows, JSON.stringify)).join(',')}]`
        : JSON.stringify(value);
    fields.push(`${JSON.stringify(name)}:${text}`);
  }
  return `{${fields.join(',')}}`;
}

async function texts(
  rows: readonly object[],
  textOf: (row: object) => string,
): Promise<readonly string[]> {
  const made: string[] = [];
  await inTurns(rows, (row) => made.push(textOf(row)));
  return made;
}

export function toCsv(columns: readonly string[], rows: readonly object[]): string {
  return csvHeader(columns) + rows.map(csvLines(columns)).join('');
}

function csvHeader(columns: readonly string[]): string {
  return csvLine(
    columns.flatMap((column) =>
      isAmount(column) ? [column, column.replace('NanoUsd', 'Usd')] : [column],
    ),
  );
}

function csvLines(columns: readonly string[]): (row: object) => string {
  const fields = columns.map((column) => ({ path: column.split('.'), isMoney: isAmount(column) }));
  return (row) =>
    csvLine(
      fields.flatMap(({ path, isMoney }) => {
        const value = valueAt(row, path);
        return isMoney ? [value, dollars(value)] : [value];
      }),
    );
}

function csvLine(cells: readonly unknown[]): string {
  return `${cells.map(cell).join(',')}\r\n`;
}

/** `byBilling.metered.inputNanoUsd` is a field of a field. */
function valueAt(row: object, path: readonly string[]): unknown {
  let value: unknown = row;
  for (const name of path)
    value = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  return value;
}

function isAmount(column: string): boolean {
  return column.includes('NanoUsd');
}

/** An amount that is not known stays an empty cell. */
function dollars(nanoUsd: unknown): unknown {
  return typeof nanoUsd === 'string' ? exactUsd(BigInt(nanoUsd)) : nanoUsd;
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = withoutFormula(
    sanitizeLine(typeof value === 'string' ? value : JSON.stringify(value)),
  );
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * Spreadsheets skip leading blanks, and some take the wide signs of East Asian scripts. A negative
 * amount stays a number.
 */
function withoutFormula(text: string): string {
  return /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]/u.test(text) && !/^-\d+(\.\d+)?$/.test(text)
    ? `'${text}`
    : text;
}

const mediaTypes: Readonly<Record<string, Format>> = {
  'application/json': 'json',
  'text/csv': 'csv',
  'application/x-ndjson': 'ndjson',
  'application/ndjson': 'ndjson',
  '*/*': 'json',
};

/** The best known type of an Accept header; JSON if there is none. */
function acceptedFormat(accept: string | undefined): Format {
  const preferences = (accept ?? '').split(',').map((preference) => {
    const [type = '', ...parameters] = preference
      .split(';')
      .map((part) => part.trim().toLowerCase());
    const quality = parameters.find((parameter) => parameter.startsWith('q='));
    return {
      format: mediaTypes[type],
      quality: quality === undefined ? 1 : Number(quality.slice(2)),
    };
  });
  const known = preferences
    .filter(({ format, quality }) => format !== undefined && quality > 0)
    .toSorted((a, b) => b.quality - a.quality);
  return known[0]?.format ?? 'json';
}

function nextLink(request: FastifyRequest, next: string): string {
  const url = new URL(request.url, 'http://localhost');
  url.searchParams.set('cursor', next);
  return `<${url.pathname}${url.search}>; rel="next"`;
}
