/** Totals while an import runs, or after it was interrupted. */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readImporting } from '../../../collector/cli/client/importing.ts';
import { main } from '../../../collector/cli/main.ts';
import { loadCollectorConfig } from '../../../collector/config/config.ts';
import { openProgress } from '../../../collector/importers/progress/progress.ts';
import { readStoreId, startCollector } from '../../../collector/main.ts';
import { recordedSessions } from '../importers/support/imports.ts';
import { temporaryDirectory } from '../support/directory.ts';

const home = mkdtempSync(join(temporaryDirectory(), 'home-'));
const env = { PI_LEDGER_HOME: home, HOME: home };
const path = join(home, 'imports.db');
const beganMs = Date.parse('2026-11-22T20:00:00Z');
let storeId = '';

async function run(secondsLater: number, ...argv: string[]) {
  const printed: string[] = [];
  const complained: string[] = [];
  const code = await main(argv, {
    env,
    columns: 100,
    colour: false,
    now: () => new Date(beganMs + secondsLater * 1_000),
    print: (line) => printed.push(line),
    complain: (line) => complained.push(line),
  });
  return { code, printed, complained };
}

/** As a scan leaves it after a second; with null it has ended. */
function note(files: number | null, directory = recordedSessions): void {
  const progress = openProgress({ path, storeId });
  const notes = progress.openScanNotes?.([directory]);
  const all = { filesToRead: 600, bytesToRead: 900_000_000, events: 0 };
  if (files === null) notes?.end();
  else {
    notes?.note({ ...all, files: 0, bytes: 0 }, beganMs);
    notes?.note({ ...all, files, bytes: 210_000_000 }, beganMs + 1_000);
  }
  progress.close();
}

beforeAll(async () => {
  expect((await run(0, 'import', '--pi', join(recordedSessions, 'pi15'))).code).toBe(0);
  storeId = (await readStoreId(loadCollectorConfig(env))) ?? '';
});
afterEach(() => note(null));

describe('while an import runs', () => {
  const line = 'importing: 149 of 600 files, 210 MB/s, about 4 s left; totals grow until then';

  it.each(['report', 'sessions'])(
    '%s says so first, and that each figure grows',
    async (command) => {
      note(149);
      const { printed } = await run(2, command);
      expect(printed[0]).toBe(line);
      const row = printed[3] ?? '';
      expect(row).toMatch(/ \$[\d.,]+… /);
      expect(row).toMatch(/ [\d.,]+[kM]?… /);
      expect(row).not.toContain('≥');
    },
  );

  it.each(['models', 'tools', 'insights', 'digest', 'compactions'])(
    '%s says so first',
    async (command) => {
      note(149);
      expect((await run(2, command)).printed[0]).toBe(line);
    },
  );

  it('is known of a ledger whose views are behind, as they are meanwhile', async () => {
    note(149);
    const client = {
      source: null,
      get: () => Promise.reject(new Error('asked for readiness, which it has not')),
      getAnyway: async () => ({ storeId }),
    } as Parameters<typeof readImporting>[1];
    const terminal = { env, now: () => new Date(beganMs + 2_000) };
    expect(await readImporting(terminal, client)).toMatchObject({ files: 149, isRunning: true });
  });

  it('JSON and the doctor have it', async () => {
    note(149);
    const importing = { isRunning: true, files: 149, filesToRead: 600, bytes: 210_000_000 };
    for (const command of ['report', 'sessions', 'models', 'insights', 'digest', 'compactions'])
      expect(JSON.parse((await run(2, command, '--json')).printed.join('\n'))).toMatchObject({
        importing,
      });
    expect((await run(2, 'doctor')).printed.join('\n')).toMatch(/^import +- +149 of 600 files, /m);
  });

  it('nothing is said once it has ended, nor of directories that are gone', async () => {
    note(149, join(home, 'gone'));
    for (const command of ['report', 'sessions'])
      expect((await run(2, command)).printed.join('\n')).not.toMatch(/importing|\d…/);
    note(null, join(home, 'gone'));
  });
});

describe('after an import was interrupted', () => {
  it('every total says that it is not complete', async () => {
    note(149);
    expect((await run(60, 'report')).printed[0]).toBe(
      'importing: interrupted at 149 of 600 files; totals are not complete: pi-ledger import',
    );
    const { code, printed } = await run(60, 'doctor');
    expect(code).toBe(1);
    expect(printed.join('\n')).toMatch(/^import +BAD +interrupted at 149 of 600 files/m);
  });

  it('GET /v1/standing has it', async () => {
    const collector = await startCollector(
      { ...loadCollectorConfig(env), port: 0, import: false },
      { logStream: null },
    );
    try {
      const standing = async () => (await fetch(`${collector.url}/v1/standing`)).json();
      expect(await standing()).toMatchObject({ importing: null });
      note(149);
      expect(await standing()).toMatchObject({
        importing: {
          isRunning: false,
          files: 149,
          bytesToRead: 900_000_000,
          startedAt: '2026-11-22T20:00:00.000Z',
          at: '2026-11-22T20:00:01.000Z',
        },
      });
    } finally {
      await collector.stop();
    }
  });
});
