/** Differences that `pi-ledger reconcile` explains. */

import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { reconcile } from '../../../../collector/reconcile/reconcile.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import { type CommandLine, commandLine } from '../support/command-line.ts';
import { corpusDirectory } from '../support/corpus.ts';
import { outcome } from '../support/outcome.ts';
import { searchesIn } from '../support/read-facts.ts';

const directory = temporaryDirectory();

const caseOf = (name: string) => join(corpusDirectory, 'cases', name);

let forks: CommandLine;

beforeAll(async () => {
  forks = commandLine(directory);
  await forks.run('import', '--pi', caseOf('pi-fork'));
});

/** Adds the log's last turn again, changed, as if recorded live. */
function addLive(
  ledger: CommandLine,
  change: (event: Record<string, unknown> & { data: Record<string, unknown> }) => void,
): void {
  ledger.change((database) => {
    const [row] = database
      .prepare(
        `SELECT event FROM events WHERE event LIKE '%turn.completed%'
         ORDER BY position DESC LIMIT 1`,
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

/** The answer that a claim repeats, as the child would have recorded it. */
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
      searches: searchesIn(caseOf('plain-pi15')),
      ask,
      nowMs: Date.now(),
      hasChanged: () => true,
    });
    expect(
      found.sessions.flatMap(({ differences }) => differences.map(({ reason }) => reason)),
    ).toEqual(['file_changing']);
    const still = await reconcile({
      searches: searchesIn(caseOf('plain-pi15')),
      ask,
      nowMs: Date.now(),
      hasChanged: () => false,
    });
    expect(still.isExplained).toBe(false);
  });
});
