/**
 * The content of a seal, split into events: gzip of JSON, one entry per line, in pieces of base64.
 *
 * Guarantees: a part is smaller than `limits.eventBytesMax`; memory is bounded by a part and the
 * largest entry, whatever the size of the seal. `readSealed` rejects when a part is missing.
 */
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import type { EventData, LedgerEvent } from '@pi-ledger/contract';
import { LedgerError } from '../errors.ts';
import type { Seal } from '../log/history.ts';
import type { Log } from '../log/log.ts';

export type SealedEntry =
  /** A document of a projection without rules. */
  | {
      readonly is: 'document';
      readonly projection: string;
      readonly version: number;
      readonly key: string;
      readonly body: string;
    }
  /** A row of a cumulative rollup, as in the live view. */
  | {
      readonly is: 'row';
      readonly rollup: string;
      readonly dimensions: Readonly<Record<string, string>>;
      /** Decimal numbers. */
      readonly measures: Readonly<Record<string, string>>;
    };

export interface Piece {
  readonly content: string;
  readonly isLast: boolean;
}

/** Bytes of gzip; a third more as base64. */
const pieceBytesMax = 144 * 1024;
const partsPerRead = 50;

/** Produces at least one piece. Rejects with the errors of `entries` and `onPiece`. */
export async function writePieces(
  entries: AsyncIterable<SealedEntry>,
  onPiece: (piece: Piece) => Promise<void>,
): Promise<void> {
  async function* lines(): AsyncGenerator<string> {
    for await (const entry of entries) yield `${JSON.stringify(entry)}\n`;
  }
  await pipeline(lines, createGzip(), async (zipped: AsyncIterable<Buffer>) => {
    let held = Buffer.alloc(0);
    for await (const chunk of zipped) {
      held = Buffer.concat([held, chunk]);
      while (held.length > pieceBytesMax) {
        await onPiece({
          content: held.subarray(0, pieceBytesMax).toString('base64'),
          isLast: false,
        });
        held = held.subarray(pieceBytesMax);
      }
    }
    await onPiece({ content: held.toString('base64'), isLast: true });
  });
}

/** The entries of a seal, in the order of writing. */
export async function readSealed(
  log: Log,
  seal: Seal,
  onEntry: (entry: SealedEntry) => Promise<void> | void,
): Promise<void> {
  await pipeline(
    () => contents(log, seal),
    createGunzip(),
    async (unzipped: AsyncIterable<Buffer>) => {
      for await (const line of splitLines(unzipped)) await onEntry(JSON.parse(line) as SealedEntry);
    },
  );
}

async function* contents(log: Log, seal: Seal): AsyncGenerator<Buffer> {
  let expected = 1;
  for await (const { part, content, isLast } of readParts(log, seal)) {
    if (part !== expected) throw missing(`Part ${expected}`);
    expected += 1;
    if (content !== '') yield Buffer.from(content, 'base64');
    if (isLast) return;
  }
  throw missing('The last part');
}

function missing(part: string): LedgerError {
  const message =
    `${part} of the history that was sealed is damaged or missing, so its sums cannot be read ` +
    'again; what the views have stays. `pi-ledger doctor --deep` says where. Restore a backup.';
  return new LedgerError('store_damaged', { message });
}

async function* readParts(
  log: Log,
  { sealId, first, last }: Seal,
): AsyncGenerator<EventData<'pi.history.sealed.v1'>> {
  for (let after = first - 1; after < last; ) {
    const read = await log.read(after, partsPerRead);
    for (const { event } of read)
      if (isPart(event) && event.data.sealId === sealId) yield event.data;
    after = read.at(-1)?.position ?? last;
  }
}

function isPart(event: LedgerEvent): event is LedgerEvent<'pi.history.sealed.v1'> {
  return event.type === 'pi.history.sealed.v1';
}

async function* splitLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}
