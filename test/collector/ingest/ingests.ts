/** An ingest on a real log of its own, with a clock that the test sets. */
import { join } from 'node:path';
import { afterEach } from 'vitest';
import type { DeadLetterBounds } from '../../../collector/ingest/dead-letter-room.ts';
import { createIngest, type Ingest } from '../../../collector/ingest/ingest.ts';
import type { Log } from '../../../collector/log/log.ts';
import { openSqliteLog } from '../../../collector/stores/sqlite/log/log.ts';
import { temporaryDirectory } from '../support/directory.ts';

export interface OpenIngest {
  readonly log: Log;
  readonly ingest: Ingest;
  /** One for each time that the views are woken. */
  readonly wakes: number[];
}

/** Call it while a test file is read: it registers what closes the logs after each test. */
export function ingests(): {
  open(change?: (log: Log) => Partial<Log>, deadLetterBounds?: DeadLetterBounds): OpenIngest;
  readonly clock: { nowMs: number };
} {
  const directory = temporaryDirectory();
  const startMs = Date.parse('2026-11-22T12:00:00.000Z');
  const clock = { nowMs: startMs };
  const opened: Log[] = [];
  afterEach(async () => {
    clock.nowMs = startMs;
    await Promise.all(opened.map((log) => log.close()));
  });
  return {
    clock,
    open(change = () => ({}), deadLetterBounds?: DeadLetterBounds) {
      const log = openSqliteLog({ path: join(directory, `${opened.length}.db`) });
      opened.push(log);
      const wakes: number[] = [];
      const ingest = createIngest({
        log: { ...log, ...change(log) },
        now: () => clock.nowMs,
        onAppended: () => wakes.push(1),
        ...(deadLetterBounds === undefined ? {} : { deadLetterBounds }),
      });
      return { log, ingest, wakes };
    },
  };
}
