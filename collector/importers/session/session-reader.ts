/**
 * Reads one session file, from its start or from where the last scan ended, and yields its events
 * in batches.
 *
 * Guarantees: what can be read becomes events, the rest becomes issues with file and line. Reading
 * continues only if the file still begins with what was read of it (file-proof.ts); otherwise it
 * starts over and the log drops the repeats. Does not write or wait. Synchronous, for a worker
 * thread or in steps of one batch.
 */
import { closeSync, fstatSync, openSync } from 'node:fs';
import { failedRead } from '../failed-read.ts';
import type { Importer, Parse } from '../importer.ts';
import { proveFile } from '../progress/file-proof.ts';
import { stampFile } from '../progress/file-stamp.ts';
import type { EventBatch } from '../threads/batches.ts';
import type { ReaderSetup, ReadJob, ReadResult } from '../threads/read-job.ts';
import { createFileHeaders } from './file-header.ts';
import { createLineage } from './lineage.ts';
import { createSessionParser } from './parse-session.ts';
import type { SessionBookmark } from './reader-state.ts';
import { linesOf, readChunks } from './session-file.ts';
import type { SessionParser, SessionReaderSetup } from './session-parser.ts';

/** Contract: the generator throws only for bugs; errors of the file system become issues. */
export function createSessionReader(
  setup: ReaderSetup,
  { unpricesCopies }: Pick<Importer, 'unpricesCopies'>,
): Parse {
  const lineage = createLineage({ headers: createFileHeaders(), fileOf: setup.fileOf });
  const own = { ...setup, lineage, unpricesCopies };
  return function* read(job) {
    let descriptor: number | null = null;
    try {
      descriptor = openSync(job.path, 'r');
      return yield* readOpen(job, own, descriptor);
    } catch (error) {
      if (!isSystemError(error)) throw error;
      return unreadable(job, error);
    } finally {
      if (descriptor !== null) closeSync(descriptor);
    }
  };
}

function* readOpen(
  job: ReadJob,
  setup: SessionReaderSetup,
  descriptor: number,
): Generator<EventBatch, ReadResult> {
  const stamp = stampFile(fstatSync(descriptor, { bigint: true }));
  // Only this importer's own bookmarks come back to it.
  const before = job.from as SessionBookmark | null;
  const from = before !== null && canGoOn(descriptor, before) ? before : null;
  let reading = createSessionParser(job, setup, from);
  let wentOn = from !== null;
  if ((yield* readLines(descriptor, reading, setup)) === 'again') {
    reading = createSessionParser(job, setup, null);
    wentOn = false;
    yield* readLines(descriptor, reading, setup);
  }
  yield reading.finish();
  const { position, bytes, claims, againAtMs } = reading;
  const result = reading.result();
  const proof = proveFile(descriptor, position.offset);
  // Writes during the reading may have changed what was read, so there is no proof for this file.
  const isSame = stampFile(fstatSync(descriptor, { bigint: true })) === stamp;
  const bookmark = result === null ? null : { ...position, ...result, proof: isSame ? proof : '' };
  const { list, count, lostCount } = reading.issues;
  const isFailed = result === null && bytes > 0 && !reading.isPassedOver;
  return {
    stamp,
    bookmark,
    isFailed,
    bytes,
    wentOn,
    issues: { list, count, lostCount },
    againAtMs,
    claims,
  };
}

function* readLines(
  descriptor: number,
  reading: SessionParser,
  { collectGarbage }: ReaderSetup,
): Generator<EventBatch, 'done' | 'again'> {
  const { offset, lines } = reading.position;
  for (const line of linesOf(readChunks(descriptor, offset), { offset, linesBefore: lines })) {
    const taken = reading.take(line);
    collectGarbage(line.bytes);
    if (taken !== 'next') return taken === 'again' ? 'again' : 'done';
    // One line may fill several batches.
    for (let batch = reading.full(); batch !== null; batch = reading.full()) yield batch;
  }
  return 'done';
}

/**
 * Copies come first and are counted together, so a file without entries of its own is read as a
 * whole.
 */
function canGoOn(descriptor: number, { offset, proof, standing }: SessionBookmark): boolean {
  return standing.hasOwn && proveFile(descriptor, offset) === proof;
}

function unreadable({ path }: ReadJob, error: NodeJS.ErrnoException): ReadResult {
  const isGone = error.code === 'ENOENT';
  const message = isGone
    ? 'the file was deleted during the import'
    : `the file cannot be read (${error.code})`;
  return failedRead(
    {
      code: isGone ? 'file_gone' : 'file_unreadable',
      file: path,
      line: null,
      message,
      mayHoldSpend: !isGone,
    },
    null,
  );
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error && 'syscall' in error;
}
