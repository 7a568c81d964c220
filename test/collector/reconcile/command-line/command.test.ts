import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadCollectorConfig } from '../../../../collector/config/config.ts';
import { startCollector } from '../../../../collector/main.ts';
import { createLastReconciliation } from '../../../../collector/process/last-reconciliation.ts';
import { reasons } from '../../../../collector/reconcile/reasons.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import { type CommandLine, commandLine } from '../support/command-line.ts';
import { corpusDirectory } from '../support/corpus.ts';
import { outcome } from '../support/outcome.ts';

const directory = temporaryDirectory();

const caseOf = (name: string) => join(corpusDirectory, 'cases', name);

let forks: CommandLine;

beforeAll(async () => {
  forks = commandLine(directory);
  await forks.run('import', '--pi', caseOf('pi-fork'));
});

describe('pi-ledger reconcile', () => {
  it('prints a table of what differs, why, and a verdict', async () => {
    const { code, printed } = await forks.run('reconcile', '--pi', caseOf('pi-fork'));
    expect(code).toBe(0);
    expect(printed.split('\n')).toEqual([
      'session                               records  tokens     cost  differences',
      '019a0009-0000-7000-8000-000000000009        1  10,550  $0.0107  copied x2',
      '',
      `copied: ${reasons.copied.sentence}`,
      'Explained: 2 sessions, 2 files, 4 records, $0.0405 in the log.',
    ]);
  });

  it('keeps what it came to, for the page', async () => {
    await forks.run('reconcile', '--pi', caseOf('pi-fork'));
    const kept = createLastReconciliation(forks.home).read();
    expect(kept).toMatchObject({ isExplained: true, files: 2, sessions: 2, records: 4 });
    expect(kept?.reasons).toEqual([
      {
        ...{ reason: 'copied', isExplained: true, sessions: 1, count: 2 },
        sentence: reasons.copied.sentence,
      },
    ]);
  });

  it('shows both sides where they differ, and the records that do', async () => {
    const damaged = forks.copy();
    const last =
      "SELECT max(position) FROM events WHERE event LIKE '%turn.completed%' " +
      "AND event LIKE '%019a0008%'";
    damaged.change((database) => database.exec(`DELETE FROM events WHERE position = (${last})`));
    await damaged.run('rebuild', 'sessions');
    const { code, printed } = await damaged.run('reconcile', '--pi', caseOf('pi-fork'));
    expect(code).toBe(1);
    expect(printed).toMatch(/^019a0008-\S+ +3 \/ 2 \/ 2 .* missing_in_log$/m);
    expect(printed).toMatch(/^missing_in_log: 019a0008-\S+ turn entry [0-9a-f]{8} \S+ file /m);
    expect(printed).toContain('(fault): ');
    expect(printed.split('\n').at(-1)).toMatch(/^NOT explained: /);
  });

  it('shows the sessions that agree with --all', async () => {
    const { printed } = await forks.run('reconcile', '--all', '--pi', caseOf('pi-fork'));
    expect(printed).toContain('019a0008-0000-7000-8000-000000000008        3');
  });

  it('prints JSON with stable names', async () => {
    const { answer } = await forks.reconcile('--pi', caseOf('pi-fork'));
    expect(Object.keys(answer)).toEqual([
      'isExplained',
      'read',
      'totals',
      'reasons',
      'differences',
      'sessions',
      'problems',
    ]);
    expect(answer.totals.files).toEqual({
      records: 4,
      inputTokens: 1300,
      outputTokens: 1400,
      cacheReadTokens: 22000,
      cacheWriteTokens: 2400,
      reasoningTokens: 0,
      unpricedRecords: 0,
      unreportedRecords: 0,
      nanoUsd: '40500000',
    });
    expect(answer.totals.log).toEqual(answer.totals.files);
    expect(answer.totals.views).toEqual(answer.totals.files);
    expect(answer.reasons).toEqual({ copied: reasons.copied });
    const [, fork] = answer.sessions;
    expect(Object.keys(fork ?? {})).toEqual([
      'session',
      'files',
      'inFiles',
      'inLog',
      'inViews',
      'differences',
    ]);
    expect(fork?.inLog).toMatchObject({
      records: 1,
      byKind: { turn: { records: 1, nanoUsd: '10650000' } },
    });
    expect(fork?.differences).toEqual([
      {
        reason: 'copied',
        explained: true,
        count: 2,
        otherSessionId: '019a0008-0000-7000-8000-000000000008',
      },
    ]);
  });

  it('is wrong use to name a directory that is not there', async () => {
    expect(await forks.run('reconcile', '--pi', join(directory, 'nowhere'))).toMatchObject({
      code: 2,
    });
    expect(await forks.run('reconcile', '--pi', import.meta.filename)).toMatchObject({ code: 2 });
  });

  it('counts one thing as one', async () => {
    const ledger = commandLine(directory);
    await ledger.run('import', '--pi', caseOf('unpriced'));
    const { printed } = await ledger.run('reconcile', '--pi', caseOf('unpriced'));
    expect(printed).toMatch(/^Explained: 1 session, 1 file, \d records?, /m);
  });

  it('says that nothing was compared where there are no session files', async () => {
    const empty = mkdtempSync(join(directory, 'empty-'));
    const { code, complained } = await forks.run('reconcile', '--pi', empty);
    expect([code, complained]).toEqual([
      0,
      expect.stringContaining(`There are no session files in ${empty}, so nothing was compared.`),
    ]);
  });

  it('looks where hosts keep their sessions when it is told nothing', async () => {
    const ledger = commandLine(directory, {}, join(caseOf('both-hosts'), 'home'));
    expect(await outcome(ledger)).toEqual({ code: 1, explained: [], faults: ['not_imported'] });
    await ledger.run('import');
    expect(await outcome(ledger)).toEqual({ code: 0, explained: [], faults: [] });
  });

  it('asks a collector that runs', async () => {
    const running = forks.copy();
    const collector = await startCollector(
      loadCollectorConfig({ PI_LEDGER_HOME: running.home, PI_LEDGER_PORT: '0', HOME: directory }),
    );
    try {
      expect(await outcome(running, '--pi', caseOf('pi-fork'))).toEqual({
        code: 0,
        explained: ['copied'],
        faults: [],
      });
    } finally {
      await collector.stop();
    }
  });
});
