/**
 * Scans of directories of session files, into a log in memory that accepts valid events and drops
 * repeats.
 */
import { join } from 'node:path';
import type { Importer } from '../../../../collector/importers/importer.ts';
import {
  openProgress,
  type ProgressStore,
} from '../../../../collector/importers/progress/progress.ts';
import {
  runScan,
  type ScanOptions,
  type ScanResult,
} from '../../../../collector/importers/scan.ts';
import { createInlineRunner } from '../../../../collector/importers/threads/runner.ts';
import { createEventCheck, latestTime } from '../../../../collector/ingest/event-check.ts';
import type { LedgerEvent } from '../../../../contract/index.ts';

export interface Imports {
  /** The log's events, by id. */
  readonly events: ReadonlyMap<string, LedgerEvent>;
  scan(options?: Partial<ScanOptions>): Promise<ScanResult>;
  /** Delivers events like a live producer. */
  deliver(events: readonly LedgerEvent[]): void;
  of<Type extends LedgerEvent['type']>(type: Type): readonly Extract<LedgerEvent, { type: Type }>[];
}

/** Recordings of pi 0.73, 0.87 and 1.5 and omp 18, by host. */
export const recordedSessions = join(
  import.meta.dirname,
  '..',
  '..',
  '..',
  'extension',
  'data',
  'sessions',
);

const version = '0.1.0';
export const homeDirectory = '/home/ada';

export function createImports(
  importer: Importer,
  directory: string,
  progress: ProgressStore = memoryProgress(),
): Imports {
  const events = new Map<string, LedgerEvent>();
  const check = createEventCheck();
  const latest = latestTime(Date.now());

  function take(event: unknown): boolean {
    const verdict = check(event, latest);
    if (verdict.kind === 'rejected')
      throw new Error(
        `an invalid event: ${verdict.field} ${verdict.message} ${JSON.stringify(event)}`,
      );
    const isNew = !events.has(verdict.event.id);
    if (isNew) events.set(verdict.event.id, verdict.event);
    return isNew;
  }

  return {
    events,
    scan: (options = {}) =>
      runScan({
        roots: [{ importer, directory, isNamed: true }],
        progress,
        homeDirectory,
        auditContent: false,
        version,
        now: Date.now,
        quietMs: 0,
        // Tests look at what one scan tells an empty log, with the progress of earlier scans; for
        // stores that forget, see witnesses.test.ts.
        isSameLog: true,
        createRunner: createInlineRunner,
        readSealedTotals: async () => null,
        withdrawSession: async () => null,
        async *readLog() {
          yield* events.values();
        },
        async accept(values) {
          const accepted = values.filter(take).length;
          return { accepted, duplicates: values.length - accepted, expired: 0, rejected: [] };
        },
        ...options,
      }),
    deliver(delivered) {
      for (const event of delivered) take(event);
    },
    of: (type) => [...events.values()].filter((event) => event.type === type) as never,
  };
}

export function memoryProgress(): ProgressStore {
  return openProgress({ path: ':memory:', storeId: 'one' });
}

/** The id and content of each entry event, whoever delivered it. */
export function sayings(events: Iterable<LedgerEvent>): readonly string[] {
  return [...events]
    .map(({ id, type, time, subject, data }) => JSON.stringify([id, type, time, subject, data]))
    .sort();
}
