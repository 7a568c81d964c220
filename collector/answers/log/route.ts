/**
 * `GET /v1/log`: the stored events, in order. `pi-ledger reconcile` compares session files with
 * them, and `export` writes them.
 *
 * A page ends early if it is long (`pageChars`), and is streamed: each reader, however slow, holds
 * one slice.
 */
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { answering } from '../../http/answering.ts';
import type { AnswersInHand } from '../../http/answers-in-hand.ts';
import { pageChars } from '../../http/cursor.ts';
import { jsonLine } from '../../http/json-line.ts';
import type { Log } from '../../log/log.ts';
import { readEvent, type StoredText } from '../../log/stored-event.ts';
import type { Withdrawals } from '../../log/withdrawals.ts';

export const eventsMax = 1_000;
export const eventsDefault = 100;
/** Read at once; a single large event may exceed it. */
const sliceChars = 256 * 1024;
/** The most that a reader holds: a slice plus one event, as text and in the socket. */
export const bytesPerReader = 1024 * 1024;

const Query = Type.Object(
  {
    after: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'Only events with a higher position. Positions start at 1.',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: eventsMax,
        default: eventsDefault,
        description: 'A page of large events has fewer.',
      }),
    ),
    format: Type.Optional(
      Type.Enum(['json', 'ndjson'], {
        default: 'json',
        description:
          'ndjson: a row per line, with the event character for character as it came (what some ' +
          'take for the end of a line as an escape); of a withdrawn or damaged one, only which ' +
          'it is. An empty body after the last event.',
      }),
    ),
  },
  { additionalProperties: false },
);

export interface LogOptions {
  readonly log: Log;
  readonly answers: AnswersInHand;
}

export function routes({ log, answers }: LogOptions) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get<{ Querystring: Static<typeof Query> }>(
      '/v1/log',
      {
        config: { scope: 'admin' },
        schema: answering('GET /v1/log', {
          summary: 'The stored events, in order',
          tags: ['log'],
          querystring: Query,
        }),
      },
      async ({ query }, reply) => {
        const { after = 0, limit = eventsDefault, format = 'json' } = query;
        answers.hold(reply, bytesPerReader);
        const page: Page = { log, after, limit };
        // Before the answer begins: an unreadable store is an error, not an answer that breaks off.
        const first = await readSlice(page, after, limit);
        const pieces = format === 'ndjson' ? ndjson(page, first) : json(page, first);
        reply.type(format === 'ndjson' ? 'application/x-ndjson' : 'application/json');
        return reply.send(Readable.from(pieces, { objectMode: false }));
      },
    );
  };
}

export interface Page {
  readonly log: Log;
  readonly after: number;
  readonly limit: number;
  /** Those of a slice that the caller may read; absent: all. */
  readonly visible?: (slice: readonly StoredText[]) => Promise<readonly StoredText[]>;
}

export function readSlice(
  { log }: Page,
  after: number,
  limit: number,
): Promise<readonly StoredText[]> {
  return log.readTexts(after, limit, sliceChars);
}

/** The slices of the page. */
async function* slicesOf(
  page: Page,
  first: readonly StoredText[],
): AsyncGenerator<readonly StoredText[]> {
  let left = page.limit;
  let chars = 0;
  for (let slice = first; slice.length > 0; ) {
    yield slice;
    left -= slice.length;
    chars += slice.reduce((sum, { text }) => sum + text.length, 0);
    if (left === 0 || chars >= pageChars) return;
    slice = await readSlice(page, slice.at(-1)?.position ?? 0, left);
  }
}

async function* ndjson(page: Page, first: readonly StoredText[]): AsyncGenerator<string> {
  for await (const slice of slicesOf(page, first)) {
    const withdrawals = await page.log.withdrawals();
    yield slice.map((stored) => `${lineOf(stored, withdrawals)}\n`).join('');
  }
}

function lineOf(stored: StoredText, withdrawals: Withdrawals): string {
  const read = readEvent(stored);
  if (read.damage !== undefined) return placeOf(stored, 'damaged');
  return withdrawals.names(read) ? placeOf(stored, 'withdrawn') : rowOf(stored);
}

/** Without the event. */
function placeOf({ position, receivedAtMs }: StoredText, is: 'damaged' | 'withdrawn'): string {
  const receivedAt = new Date(receivedAtMs).toISOString();
  return `{"position":${position},"receivedAt":"${receivedAt}","${is}":true}`;
}

export async function* json(page: Page, first: readonly StoredText[]): AsyncGenerator<string> {
  let last: number | null = null;
  let isFirst = true;
  yield '{"rows":[';
  for await (const slice of slicesOf(page, first)) {
    const whole = slice.filter(isWhole);
    const withdrawals = await page.log.withdrawals();
    const shown = page.visible === undefined ? whole : await page.visible(whole);
    const rows = shown.map((stored) => rowOf(stored, withdrawals.names(readEvent(stored))));
    yield `${isFirst || rows.length === 0 ? '' : ','}${rows.join(',')}`;
    isFirst &&= rows.length === 0;
    last = slice.at(-1)?.position ?? null;
  }
  const isEnd = last === null || (await readSlice(page, last, 1)).length === 0;
  yield `],"next":${isEnd ? null : last}}`;
}

/** A damaged text would break the answer: it is left out. `pi-ledger doctor --deep` names it. */
function isWhole(stored: StoredText): boolean {
  return readEvent(stored).damage === undefined;
}

function rowOf({ position, receivedAtMs, text }: StoredText, isWithdrawn = false): string {
  const event = jsonLine(text);
  const receivedAt = new Date(receivedAtMs).toISOString();
  const end = isWithdrawn ? ',"withdrawn":true}' : '}';
  return `{"position":${position},"receivedAt":"${receivedAt}","event":${event}${end}`;
}
