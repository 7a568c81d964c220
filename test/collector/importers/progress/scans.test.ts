import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { pi } from '../../../../collector/importers/pi/importer.ts';
import { openProgress } from '../../../../collector/importers/progress/progress.ts';
import { readImporting } from '../../../../collector/importers/progress/scans.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import { createImports, recordedSessions } from '../support/imports.ts';

const directory = temporaryDirectory();

it('a scan is noted while it runs and if it fails, not once it has ended', async () => {
  const path = join(directory, 'imports.db');
  const now = () => Date.parse('2026-11-23T00:00:00Z');
  const progress = openProgress({ path, storeId: 'one' });
  const { scan } = createImports(pi, join(recordedSessions, 'pi15'), progress);
  const noted = () => readImporting(path, 'one', now());
  expect(noted()).toBeNull();
  const failing = scan({
    now,
    accept: async () => {
      expect(noted()).toMatchObject({ isRunning: true, files: 0 });
      throw new Error('the store failed');
    },
  });
  await expect(failing).rejects.toThrow('the store failed');
  expect(noted()?.filesToRead).toBeGreaterThan(1);
  expect(readImporting(path, 'one', now() + 60_000)?.isRunning).toBe(false);
  expect(readImporting(path, 'another store', now())).toBeNull();
  await scan({ now });
  expect(noted()).toBeNull();
  progress.close();
});

describe('the note of a scan', () => {
  const counts = { files: 1, filesToRead: 9, bytes: 10, bytesToRead: 90, events: 5 };
  const fresh = () => {
    const path = join(mkdtempSync(join(directory, 'n-')), 'imports.db');
    const progress = openProgress({ path, storeId: 'one' });
    const scanOf = (...directories: string[]) => {
      const notes = progress.openScanNotes?.(directories);
      if (notes === undefined) throw new Error('not for reading only');
      return notes;
    };
    return { path, progress, scanOf, noted: (nowMs = 0) => readImporting(path, 'one', nowMs) };
  };

  it('is written at once, and then at most four times a second', () => {
    const { progress, scanOf, noted } = fresh();
    const scan = scanOf(directory);
    const filesAt = (nowMs: number) => {
      scan.note({ ...counts, files: nowMs }, nowMs);
      return noted()?.files;
    };
    expect([1_000, 1_249, 1_250, 1_300, 1_500].map(filesAt)).toEqual([
      1_000, 1_000, 1_250, 1_250, 1_500,
    ]);
    expect(noted()).toEqual({
      isRunning: true,
      files: 1_500,
      filesToRead: 9,
      bytes: 10,
      bytesToRead: 90,
      startedAt: '1970-01-01T00:00:01.000Z',
      at: '1970-01-01T00:00:01.500Z',
    });
    progress.close();
  });

  it('has the start of its own scan, not of one of the same directories before it', () => {
    const { progress, scanOf, noted } = fresh();
    const other = mkdtempSync(join(directory, 'd-'));
    scanOf(directory, other).note(counts, 1_000);
    scanOf(other, directory).note(counts, 2_000);
    expect(noted()?.startedAt).toBe('1970-01-01T00:00:02.000Z');
    progress.close();
  });

  it('tells of an interruption after ten seconds of silence', () => {
    const { progress, scanOf, noted } = fresh();
    scanOf(directory).note(counts, 1_000);
    expect([10_999, 11_000].map((nowMs) => noted(nowMs)?.isRunning)).toEqual([true, false]);
    progress.close();
  });

  it('is none once all its directories are gone', () => {
    const { progress, scanOf, noted } = fresh();
    scanOf(join(directory, 'gone')).note({ ...counts, filesToRead: 99 }, 0);
    expect(noted()).toBeNull();
    scanOf(join(directory, 'gone'), directory).note(counts, 0);
    expect(noted()?.filesToRead).toBe(9);
    progress.close();
  });

  it('is none where it cannot be read, or is of another version', () => {
    const { path, progress, scanOf, noted } = fresh();
    scanOf(directory).note(counts, 0);
    progress.close();
    expect(noted()).not.toBeNull();
    const database = new DatabaseSync(path);
    database.exec('PRAGMA user_version = 2');
    database.close();
    expect(noted()).toBeNull();
    writeFileSync(path, 'no database, though one should stand here');
    expect(noted()).toBeNull();
    expect(readImporting(join(directory, 'nowhere.db'), 'one', 0)).toBeNull();
  });
});
