/**
 * What a new agent costs: a folder and a line for its importer, another folder and line for its
 * reader in reconcile. The lines are the two mocks; nothing else knows the toy.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { main } from '../../collector/cli/main.ts';
import type { Screen } from '../../collector/cli/output/screen.ts';
import type * as Importers from '../../collector/importers/registry.ts';
import type * as Readers from '../../collector/reconcile/readers/registry.ts';
import { temporaryDirectory } from '../collector/support/directory.ts';
import { importerSuite } from './importer.ts';
import { toy } from './toy/importer/importer.ts';
import { writeToyStore } from './toy/store.ts';

vi.mock('../../collector/importers/registry.ts', async (importOriginal) => {
  const { importers } = await importOriginal<typeof Importers>();
  return { importers: [...importers, (await import('./toy/importer/importer.ts')).toy] };
});
vi.mock('../../collector/reconcile/readers/registry.ts', async (importOriginal) => {
  const { readers } = await importOriginal<typeof Readers>();
  return { readers: [...readers, (await import('./toy/reader/reader.ts')).toy] };
});

const root = temporaryDirectory();
const directory = mkdtempSync(join(root, 'toy-'));

importerSuite({
  importer: toy,
  recordings: { directory, sources: writeToyStore(directory) },
  workerFile: new URL('./toy/read-worker.ts', import.meta.url),
});

function machine() {
  const home = mkdtempSync(join(root, 'home-'));
  writeToyStore(join(home, '.toy'));
  return {
    home,
    async run(...argv: string[]) {
      const printed: string[] = [];
      const complained: string[] = [];
      const screen: Screen = {
        env: { PI_LEDGER_HOME: join(home, 'ledger'), HOME: home },
        columns: null,
        colour: false,
        now: () => new Date(),
        print: (line) => printed.push(line),
        complain: (line) => complained.push(line),
      };
      const code = await main(argv, screen);
      return { code, printed: printed.join('\n'), complained: complained.join('\n') };
    },
  };
}

describe('a new agent', () => {
  it('is imported from where it keeps its sessions, file by file or from its flag', async () => {
    const { run } = machine();
    const first = await run('import');
    expect(first).toMatchObject({ code: 0, complained: '' });
    expect(first.printed).toMatch(
      /^pi {4}no session files\nomp {3}no session files\ntoy {3}2 of 2/,
    );
    expect(first.printed).toMatch(/\n2 files read, 0 unchanged/);
    expect(JSON.parse((await run('import', '--toy', directory, '--json')).printed)).toMatchObject({
      files: { found: 2, read: 2 },
      hosts: { toy: { found: 2, toRead: 2 } },
      events: { new: 0 },
    });
    expect((await run('import', '--help')).printed).toContain(
      'where the session files of Toy are (repeatable)',
    );
  });

  it('has its spend in reports, to the digit, with its name', async () => {
    const { run } = machine();
    await run('import');
    const { total } = JSON.parse((await run('report', '--json')).printed);
    expect(total).toMatchObject({ records: 4, inputTokens: 500, outputTokens: 70 });
    expect(total.unknownBillingNanoUsd).toBe('7000000');
    const sessions = JSON.parse((await run('sessions', '--json')).printed).rows;
    expect(sessions.map(({ host }: { host: string }) => host)).toEqual(['toy', 'toy']);
  });

  it('is compared by reconcile, which misses what is not in the ledger', async () => {
    const { home, run } = machine();
    await run('import');
    const agreed = JSON.parse((await run('reconcile', '--json')).printed);
    expect(agreed).toMatchObject({ isExplained: true, sessions: [{}, {}] });
    const before = { at: '2026-11-20T09:01:30.000Z', by: ['acme', 'acme-1'], usd: 1 };
    writeFileSync(
      join(home, '.toy', 'chat-1', 'answer-9.json'),
      JSON.stringify({ id: 'missed', ...before, tokens: { in: 1, out: 1 } }),
    );
    const missed = await run('reconcile', '--json', '--toy', join(home, '.toy'));
    expect(missed.code).toBe(1);
    expect(missed.printed).toContain('"missing_in_log"');
    await run('import');
    expect((await run('reconcile')).code).toBe(0);
  });

  it('is missed as an issue where its files cannot be read', async () => {
    const { home, run } = machine();
    writeFileSync(join(home, '.toy', 'chat-1', 'session.json'), '{');
    const { code, complained } = await run('import');
    expect(code).toBe(1);
    expect(complained).toContain(`${join(home, '.toy', 'chat-1')}: the chat cannot be read`);
    rmSync(join(home, '.toy', 'chat-1'), { recursive: true });
    expect((await run('import')).code).toBe(0);
  });
});
