import { join } from 'node:path';
import { expect, it } from 'vitest';
import { pi } from '../../../../collector/importers/pi.ts';
import { openProgress } from '../../../../collector/importers/progress/progress.ts';
import { importingOf } from '../../../../collector/importers/progress/scans.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import { createImports, recordedSessions } from '../support/imports.ts';

const directory = temporaryDirectory();

it('a scan is noted while it runs and if it fails, not once it has ended', async () => {
  const path = join(directory, 'imports.db');
  const now = () => Date.parse('2026-11-23T00:00:00Z');
  const progress = openProgress({ path, storeId: 'one' });
  const { scan } = createImports(pi, join(recordedSessions, 'pi15'), progress);
  const noted = () => importingOf(path, 'one', now());
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
  expect(importingOf(path, 'one', now() + 60_000)?.isRunning).toBe(false);
  expect(importingOf(path, 'another store', now())).toBeNull();
  await scan({ now });
  expect(noted()).toBeNull();
  progress.close();
});
