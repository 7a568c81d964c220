/**
 * How far a scan of session files has come, for whoever asks for totals meanwhile: a row in
 * `imports.db` while it runs. A scan that was interrupted leaves its row, until the next one of the
 * same directories ends.
 */
import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import type { Importing } from '@pi-ledger/contract/answers';
import { readProgress } from './reading.ts';

export interface ScanCounts {
  readonly files: number;
  readonly filesToRead: number;
  readonly bytes: number;
  readonly bytesToRead: number;
  readonly events: number;
}

/** Contract: synchronous; throws when the disk fails. */
interface ScanNotes {
  /** Written at most four times a second. */
  note(counts: ScanCounts, nowMs: number): void;
  /** All was read. */
  end(): void;
}

/** What the scan of these directories leaves while it runs. */
export type OpenScanNotes = (directories: readonly string[]) => ScanNotes;

const writeEveryMs = 250;
/** A scan that is silent for longer was interrupted. */
const silentMsMax = 10_000;

export function createScanNotes(database: DatabaseSync, storeId: string): OpenScanNotes {
  const write = database.prepare(`
    INSERT INTO scans VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET
      at_ms = excluded.at_ms, files = excluded.files, files_to_read = excluded.files_to_read,
      bytes = excluded.bytes, bytes_to_read = excluded.bytes_to_read`);
  const remove = database.prepare('DELETE FROM scans WHERE store = ? AND directories = ?');
  return (directories) => {
    const key = JSON.stringify(directories.toSorted());
    let startedAtMs: number | null = null;
    let writtenAtMs = 0;
    return {
      note({ files, filesToRead, bytes, bytesToRead }, nowMs) {
        if (startedAtMs !== null && nowMs - writtenAtMs < writeEveryMs) return;
        if (startedAtMs === null) remove.run(storeId, key);
        startedAtMs ??= nowMs;
        writtenAtMs = nowMs;
        write.run(storeId, key, startedAtMs, nowMs, files, filesToRead, bytes, bytesToRead);
      },
      end: () => void remove.run(storeId, key),
    };
  };
}

/**
 * The scan that runs into this store or was interrupted, the largest of several; null: none.
 * `path`: of `imports.db`. A missing or unreadable one counts as none, and so do directories that
 * are gone.
 */
export function readImporting(path: string, storeId: string, nowMs: number): Importing | null {
  return readProgress(path, null, (database) => {
    const rows = database
      .prepare('SELECT * FROM scans WHERE store = ? ORDER BY files_to_read DESC')
      .all(storeId) as unknown as ScanRow[];
    const row = rows.find(({ directories }) =>
      (JSON.parse(directories) as string[]).some(existsSync),
    );
    return row === undefined ? null : importingFrom(row, nowMs);
  });
}

interface ScanRow {
  readonly directories: string;
  readonly started_at_ms: number;
  readonly at_ms: number;
  readonly files: number;
  readonly files_to_read: number;
  readonly bytes: number;
  readonly bytes_to_read: number;
}

function importingFrom(row: ScanRow, nowMs: number): Importing {
  return {
    isRunning: nowMs - row.at_ms < silentMsMax,
    files: row.files,
    filesToRead: row.files_to_read,
    bytes: row.bytes,
    bytesToRead: row.bytes_to_read,
    startedAt: new Date(row.started_at_ms).toISOString(),
    at: new Date(row.at_ms).toISOString(),
  };
}
