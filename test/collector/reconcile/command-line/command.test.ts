import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadCollectorConfig } from '../../../../collector/config/config.ts';
import { startCollector } from '../../../../collector/main.ts';
import { reasons } from '../../../../collector/reconcile/reasons.ts';
import { reconcile } from '../../../../collector/reconcile/reconcile.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import {
  type CommandLine,
  commandLine,
  explanationsIn,
  faultsIn,
} from '../support/command-line.ts';
import { corpusDirectory } from '../support/corpus.ts';

const directory = temporaryDirectory();
const caseOf = (name: string) => join(corpusDirectory, 'cases', name);
let forks: CommandLine;

beforeAll(async () => {
  forks = commandLine(directory);
  await forks.run('import', '--pi', caseOf('pi-fork'));
});

async function outcome(ledger: CommandLine, ...argv: string[]) {
  const { code, answer } = await ledger.reconcile(...argv);
  return { code, explained: explanationsIn(answer), faults: faultsIn(answer) };
}

/** As if a producer had recorded it live: the last turn of the log once more, changed. */
function addLive(
  ledger: CommandLine,
  change: (event: Record<string, unknown> & { data: Record<string, unknown> }) => void,
): void {
  ledger.change((database) => {
    const [row] = database
      .prepare(
        "SELECT event FROM events WHERE event LIKE '%turn.completed%' ORDER BY position DESC LIMIT 1",
      )
      .all();
    const event = {
      ...JSON.parse((row as { event: string }).event),
      id: '00000000-0000-8000-8000-000000000001',
      source: '/producers/live',
    };
    change(event);
    const { head } = database.prepare('SELECT max(position) AS head FROM events').get() as {
      head: number;
    };
    database
      .prepare('INSERT INTO events VALUES (?, ?, ?, ?)')
      .run(head + 1, event.id, 0, JSON.stringify(event));
  });
}

/** The answer that a claim repeats, as its child would have recorded it. */
function turnLike(claim: { time: string; data: { claimed: object } }): object {
  const place = {
    entryId: 'f0f0f0f0',
    parentEntryId: null,
    promptEntryId: null,
    turnIndex: 1,
    thinkingLevel: null,
    stopReason: 'stop',
  };
  const sizes = { textChars: 0, thinkingChars: 0, toolCallChars: 0, otherChars: 0, images: 0 };
  const unknown = {
    rawStopReason: null,
    errorStatus: null,
    requestedAtMs: null,
    durationMs: null,
    timeToFirstTokenMs: null,
    toolCalls: {},
  };
  return { ...claim, data: { ...place, sizes, spend: claim.data.claimed, ...unknown } };
}

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

  it('shows both sides where they differ, and the records that do', async () => {
    const damaged = forks.copy();
    const last =
      "SELECT max(position) FROM events WHERE event LIKE '%turn.completed%' AND event LIKE '%019a0008%'";
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

describe('reconcile explains', () => {
  it('a session that was recorded live and has no file', async () => {
    const ledger = forks.copy();
    addLive(ledger, (event) => {
      event.subject = 'no-session';
      event.data.entryId = 'f0f0f0f0';
    });
    await ledger.run('rebuild', 'sessions');
    expect(await outcome(ledger, '--pi', caseOf('pi-fork'))).toEqual({
      code: 0,
      explained: ['copied', 'live_only_session'],
      faults: [],
    });
  });

  it('less of a claim than by the files, if a child without a file recorded it', async () => {
    const ledger = commandLine(directory);
    await ledger.run('import', '--pi', caseOf('pi-subagent-no-session'));
    ledger.change((database) => {
      const rows = database
        .prepare(
          "SELECT event FROM events WHERE event LIKE '%pi.subagent.claimed%' ORDER BY position",
        )
        .all();
      const [claim] = rows.map((row) => JSON.parse((row as { event: string }).event));
      const id = (digit: number) => `00000000-0000-8000-8000-00000000000${digit}`;
      const turn = {
        ...turnLike(claim),
        id: id(1),
        source: '/producers/live',
        type: 'pi.turn.completed.v1',
        subject: 'child',
      };
      const keys = [`turn:${claim.data.turnEntryId}`, claim.data.key];
      const account = {
        childSessionId: 'child',
        childEntryId: 'f0f0f0f0',
        keys,
        accounted: claim.data.claimed,
      };
      const accounted = {
        ...claim,
        id: id(2),
        source: '/producers/live',
        type: 'pi.subagent.accounted.v1',
        data: account,
      };
      const { head } = database.prepare('SELECT max(position) AS head FROM events').get() as {
        head: number;
      };
      for (const [index, event] of [turn, accounted].entries()) {
        database
          .prepare('INSERT INTO events VALUES (?, ?, ?, ?)')
          .run(head + index + 1, event.id, 0, JSON.stringify(event));
      }
    });
    await ledger.run('rebuild', 'sessions');
    const explained = ['live_only_session', 'subagent_claim'];
    expect(await outcome(ledger, '--pi', caseOf('pi-subagent-no-session'))).toEqual({
      code: 0,
      explained,
      faults: [],
    });
    const { answer } = await ledger.reconcile('--pi', caseOf('pi-subagent-no-session'));
    expect([answer.totals.log.records, answer.totals.views.records]).toEqual([4, 4]);
  });

  it('a session whose file was deleted after the import', async () => {
    const copy = mkdtempSync(join(directory, 'gone-'));
    cpSync(caseOf('both-hosts'), copy, { recursive: true });
    const ledger = commandLine(directory);
    await ledger.run('import', '--pi', copy);
    rmSync(join(copy, 'home', '.omp'), { recursive: true });
    expect(await outcome(ledger, '--pi', copy)).toEqual({
      code: 0,
      explained: ['file_gone'],
      faults: [],
    });
  });

  it('a record of which the file has half a line', async () => {
    const ledger = commandLine(directory);
    await ledger.run('import', '--pi', caseOf('half-line'));
    addLive(ledger, (event) => {
      event.data.entryId = 'deadbeef';
    });
    await ledger.run('rebuild', 'sessions');
    expect(await outcome(ledger, '--pi', caseOf('half-line'))).toEqual({
      code: 0,
      explained: ['unreadable_line'],
      faults: [],
    });
  });

  it('projects that the configuration ignores', async () => {
    const ledger = commandLine(directory, { projects: [{ match: '**', ignore: true }] });
    await ledger.run('import', '--pi', caseOf('pi-fork'));
    expect(await outcome(ledger, '--pi', caseOf('pi-fork'))).toEqual({
      code: 0,
      explained: ['copied', 'ignored_project'],
      faults: [],
    });
  });

  it('a difference of a file that was written meanwhile', async () => {
    const pages = {
      '/v1/log': { rows: [], next: null },
      '/v1/usage': { rows: [], total: {}, next: null },
    };
    const ask = async (path: string) => pages[path.split('?')[0] as keyof typeof pages];
    const found = await reconcile({
      directories: [caseOf('plain-pi15')],
      ask,
      nowMs: Date.now(),
      hasChanged: () => true,
    });
    expect(
      found.sessions.flatMap(({ differences }) => differences.map(({ reason }) => reason)),
    ).toEqual(['file_changing']);
    const still = await reconcile({
      directories: [caseOf('plain-pi15')],
      ask,
      nowMs: Date.now(),
      hasChanged: () => false,
    });
    expect(still.isExplained).toBe(false);
  });
});
