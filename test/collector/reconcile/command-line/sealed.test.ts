import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../support/directory.ts';
import {
  type CommandLine,
  commandLine,
  explanationsIn,
  faultsIn,
} from '../support/command-line.ts';
import { type CorpusCase, corpusCases, sessionDirectories } from '../support/corpus.ts';

const directory = temporaryDirectory();

/** Every day with events, and the day after the last. */
function daysIn({ home }: CorpusCase): readonly string[] {
  const files = readdirSync(home, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.jsonl'),
  );
  const texts = files.map((file) => readFileSync(join(home, file), 'utf8'));
  const days = texts.flatMap((text) =>
    [...text.matchAll(/"timestamp":\s*"(\d{4}-\d{2}-\d{2})T/g)].map(([, day = '']) => day),
  );
  const sorted = [...new Set(days)].sort();
  const last = Date.parse(sorted.at(-1) ?? '2026-01-01');
  return [...sorted.slice(1), new Date(last + 86_400_000).toISOString().slice(0, 10)];
}

/** A much later session, because nothing after the newest event is sealed. */
function later(): readonly string[] {
  const path = mkdtempSync(join(directory, 'later-'));
  const usage = {
    input: 1,
    output: 1,
    cacheRead: 0,
    cacheWrite: 0,
    totalTokens: 2,
    cost: { total: 0.001 },
  };
  const header = {
    type: 'session',
    version: 3,
    id: 'later',
    timestamp: '2026-11-20T09:00:00.000Z',
    cwd: '/p',
  };
  const message = {
    role: 'assistant',
    content: [],
    provider: 'p',
    model: 'm',
    usage,
    responseId: 'later',
    timestamp: 1,
  };
  const answer = {
    type: 'message',
    id: 'a1',
    parentId: null,
    timestamp: '2026-11-20T09:00:01.000Z',
    message,
  };
  writeFileSync(
    join(path, 'later.jsonl'),
    `${JSON.stringify(header)}\n${JSON.stringify(answer)}\n`,
  );
  return ['--pi', path];
}

/** From before everything. */
async function report(ledger: CommandLine): Promise<string> {
  const { code, printed } = await ledger.run(
    'report',
    '--since',
    '2025-01-01',
    '--by',
    'session',
    '--json',
  );
  expect(code).toBe(0);
  return printed;
}

describe('reconcile after history was sealed', () => {
  it.each(corpusCases())(
    'explains what is missing, and finds all totals as they were: $name',
    async (each) => {
      const ledger = commandLine(directory, each.config ?? {});
      const paths = [
        ...sessionDirectories(each).flatMap(({ host, directory: path }) => [`--${host}`, path]),
        ...later(),
      ];
      await ledger.run('import', ...paths);
      const before = await report(ledger);
      const views = (await ledger.reconcile(...paths)).answer.totals.views;
      for (const day of daysIn(each)) {
        expect(await ledger.run('seal', '--before', day)).toMatchObject({
          code: 0,
          complained: '',
        });
        const { answer } = await ledger.reconcile(...paths);
        expect(faultsIn(answer)).toEqual([]);
        expect(answer.totals.views).toEqual(views);
      }
      await ledger.run('import', ...paths);
      await ledger.run('rebuild', 'sessions');
      const { answer } = await ledger.reconcile(...paths);
      expect(faultsIn(answer)).toEqual([]);
      expect(answer.totals.views).toEqual(views);
      expect(Number(views.records)).toBeGreaterThan(0);
      expect(explanationsIn(answer)).toContain('sealed');
      expect(await report(ledger)).toBe(before);
    },
  );

  it('names sums of deleted history that were changed, until they are rebuilt', async () => {
    const each = corpusCases().find(({ name }) => name === 'resumed') as CorpusCase;
    const ledger = commandLine(directory, each.config ?? {});
    const paths = sessionDirectories(each).flatMap(({ host, directory: path }) => [
      `--${host}`,
      path,
    ]);
    await ledger.run('import', ...paths, ...later());
    await ledger.run('seal', '--before', '2026-11-20');
    ledger.change((database) => {
      const tables = database
        .prepare("SELECT name FROM sqlite_master WHERE name LIKE 'view%rollup_usage'")
        .all();
      for (const { name } of tables) database.exec(`UPDATE ${name} SET nanoUsd = nanoUsd + 1`);
    });
    const damaged = await ledger.reconcile(...paths);
    expect(damaged.code).toBe(1);
    expect(faultsIn(damaged.answer)).toContain('sealed_differs');
    await ledger.run('rebuild', 'sessions');
    expect(faultsIn((await ledger.reconcile(...paths)).answer)).toEqual([]);
  });

  it('still finds views that have less than the log still has', async () => {
    const each = corpusCases().find(({ name }) => name === 'resumed') as CorpusCase;
    const ledger = commandLine(directory, each.config ?? {});
    const paths = sessionDirectories(each).flatMap(({ host, directory: path }) => [
      `--${host}`,
      path,
    ]);
    await ledger.run('import', ...paths);
    await ledger.run('seal', '--before', daysIn(each)[0] ?? '');
    ledger.change((database) => {
      const tables = database
        .prepare("SELECT name FROM sqlite_master WHERE name LIKE 'view%rollup_usage'")
        .all();
      for (const { name } of tables) database.exec(`DELETE FROM ${name}`);
    });
    const { sessions } = (await ledger.reconcile(...paths)).answer;
    const halfSealed = sessions.filter(
      ({ inLog, differences }) =>
        inLog !== null && differences.some(({ reason }) => reason === 'older_than_seal'),
    );
    expect(halfSealed.length).toBeGreaterThan(0);
    for (const { differences } of halfSealed)
      expect(differences.map(({ reason }) => reason)).toContain('view_differs');
  });
});
