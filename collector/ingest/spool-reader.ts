/**
 * Reads the local spool from disk: segments of dead producers are adopted and ingested, at the
 * start and every two seconds. Living producers ship their own.
 *
 * Guarantees: a segment is removed only after everything in it is acknowledged; while the store
 * fails, segments stay and are tried again; invalid lines become dead letters and stop nothing. The
 * lease tells producers that they need not flush when they end. Does not: ingest everything only
 * once. A segment that was ingested but not removed when the collector died is ingested again, with
 * the same ids.
 */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { adoptDead, removeIfEmpty, segmentsIn } from '@pi-ledger/core/spool/adoption';
import { adoptedDirectory, adoptedRoot } from '@pi-ledger/core/spool/layout';
import { leaseRefreshMs, removeLease, writeLease } from '@pi-ledger/core/spool/lease';
import { decodeOwner, encodeOwner, type SpoolOwner } from '@pi-ledger/core/spool/owner';
import { readSegment, removeIfUnchanged } from '@pi-ledger/core/spool/segment';
import { repeatEvery } from '../timers/repeat.ts';
import { type Ingest, parseEvent } from './ingest.ts';

export interface SpoolReader {
  /**
   * One pass, until nothing of a dead producer is left. Rejects when the store fails; what is left
   * waits for the next pass.
   */
  drain(): Promise<void>;
  /**
   * Ingests what living producers have not shipped yet, without removing it: for a report while no
   * collector runs. They deliver it again, as duplicates.
   */
  previewLiving(): Promise<void>;
  /**
   * Starts reading and holding the lease, which names `url`. May be called again after `stop`.
   */
  start(url: string): void;
  /** Ends the pass under way after its current segment and removes the lease. Never rejects. */
  stop(): Promise<void>;
}

export interface SpoolReaderOptions {
  readonly spoolDirectory: string;
  /** This process. */
  readonly owner: SpoolOwner;
  readonly ingest: Ingest;
  readonly now: () => number;
  readonly random: () => number;
  /** A failure in the background; the loop goes on. */
  onError(error: unknown): void;
}

const passEveryMs = 2_000;
/** Per append, so that a long segment does not delay other senders. */
const batchEventsMax = 1_000;

export function createSpoolReader(options: SpoolReaderOptions): SpoolReader {
  const { spoolDirectory, owner, ingest, now, random, onError } = options;
  const adopted = adoptedDirectory(spoolDirectory, encodeOwner(owner));
  const unreadable = new Set<string>();
  let stopping = false;
  let loops: { stop(): Promise<void> }[] = [];

  async function drain(): Promise<void> {
    for (let found = true; found && !stopping; ) {
      await adoptDead({ spoolDirectory, adopter: owner, nowMs: now(), random });
      const segments = (await segmentsIn(adopted))
        .map((name) => join(adopted, name))
        .filter((path) => !unreadable.has(path));
      found = segments.length > 0;
      for (const path of segments) {
        if (!stopping) await takeIn(path);
      }
    }
    await removeIfEmpty(adopted);
  }

  async function takeIn(path: string): Promise<void> {
    const segment = await readSegment(path);
    if (segment.state === 'gone') return;
    if (segment.state === 'unreadable') return setAside(path, segment.reason);
    await ingestTexts([...segment.lines, ...segment.garbage], ingest.accept);
    if (segment.tornBytes > 0)
      onError(
        new Error(
          `${path} ends in an unfinished line of ${segment.tornBytes} bytes, ` +
            'which was never recorded.',
        ),
      );
    if (removeIfUnchanged(path, segment.sizeBytes) === 'failed')
      setAside(path, 'it cannot be removed');
  }

  async function previewLiving(): Promise<void> {
    for (const directory of await producerDirectories(spoolDirectory)) {
      for (const name of await segmentsIn(directory)) {
        const segment = await readSegment(join(directory, name));
        if (segment.state === 'read') await ingestTexts(segment.lines, ingest.preview);
      }
    }
  }

  /** It stays on disk for the next collector. */
  function setAside(path: string, reason: string): void {
    unreadable.add(path);
    onError(new Error(`${path} is left alone: ${reason}.`));
  }

  return {
    drain,
    previewLiving,
    start(url) {
      stopping = false;
      const holdLease = () => writeLease(spoolDirectory, { owner, url, refreshedAtMs: now() });
      loops = [
        repeatEvery(leaseRefreshMs, holdLease, onError),
        repeatEvery(passEveryMs, drain, onError),
      ];
    },
    async stop() {
      stopping = true;
      await Promise.all(loops.splice(0).map((loop) => loop.stop()));
      await removeLease(spoolDirectory, owner).catch(onError);
    },
  };
}

async function ingestTexts(texts: readonly string[], accept: Ingest['preview']): Promise<void> {
  for (let from = 0; from < texts.length; from += batchEventsMax) {
    const batch = texts.slice(from, from + batchEventsMax);
    await accept(batch.map(parseEvent), batch);
  }
}

/** Their own directories, and those of adopted segments. */
async function producerDirectories(spoolDirectory: string): Promise<string[]> {
  const roots = [spoolDirectory, adoptedRoot(spoolDirectory)];
  const found = await Promise.all(
    roots.map(async (root) =>
      (await namesIn(root))
        .filter((name) => decodeOwner(name) !== null)
        .map((name) => join(root, name)),
    ),
  );
  return found.flat();
}

async function namesIn(directory: string): Promise<string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
