/**
 * An omp fork made while the clock was set back, whose original is gone: its copied claim counts as
 * its own, and the subagent's session may be anywhere.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { writeSession } from '../../importers/support/files.ts';
import { tasked } from '../../importers/support/tasked.ts';
import type { File } from '../../importers/support/ways.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import {
  type CommandLine,
  commandLine,
  explanationsIn,
  faultsIn,
} from '../support/command-line.ts';

const directory = temporaryDirectory();

const write = (within: string, { name, session }: File) => writeSession(within, session, name);

function forget({ home }: CommandLine): void {
  for (const suffix of ['', '-wal', '-shm'])
    rmSync(join(home, `imports.db${suffix}`), { force: true });
}

async function found(ledger: CommandLine, sessions: string) {
  const { code, answer } = await ledger.reconcile('--omp', sessions);
  const { total } = JSON.parse((await ledger.run('report', '--json')).printed);
  return {
    code,
    records: total.records,
    faults: faultsIn(answer),
    explanations: explanationsIn(answer),
  };
}

function begin(forkMinute: number) {
  const ledger = commandLine(directory);
  const sessions = mkdtempSync(join(directory, 'sessions-'));
  const importAll = () => ledger.run('import', '--omp', sessions);
  return { ledger, sessions, importAll, ...tasked(forkMinute) };
}

it.each([
  [4, ['owner_assumed']],
  [-60, []],
])('counts once beside the subagent’s file: made at minute %d', async (minute, explanations) => {
  const { ledger, sessions, importAll, ofMain, fork } = begin(minute);
  for (const file of [ofMain, fork]) write(sessions, file);
  await importAll();
  expect(await found(ledger, sessions)).toEqual({
    code: 0,
    records: 4,
    faults: [],
    explanations,
  });
});

it('counts once if the subagent’s file was imported and is gone, as explained', async () => {
  const { ledger, sessions, importAll, ofMain, fork } = begin(4);
  const path = write(sessions, ofMain);
  await importAll();
  rmSync(path);
  write(sessions, fork);
  await importAll();
  expect(await found(ledger, sessions)).toEqual({
    code: 0,
    records: 4,
    faults: [],
    explanations: ['file_gone', 'owner_assumed'],
  });
});

it.each([
  ['is gone', true],
  ['stands elsewhere', false],
])(
  'counts twice where the importer has forgotten the subagent, and that is a fault: its file %s',
  async (_where, isGone) => {
    const { ledger, sessions, importAll, ofMain, fork } = begin(4);
    const path = write(sessions, ofMain);
    await importAll();
    rmSync(path);
    forget(ledger);
    write(sessions, fork);
    await importAll();
    if (!isGone) write(sessions, ofMain);
    expect(await found(ledger, sessions)).toMatchObject({
      code: 1,
      records: 5,
      faults: ['claim_differs'],
    });
  },
);

it('counts once where the copy is a clone that names no parent', async () => {
  const { ledger, sessions, importAll, ofMain, fork } = begin(4);
  delete fork.session.header.parentSession;
  for (const file of [ofMain, fork]) write(sessions, file);
  await importAll();
  expect(await found(ledger, sessions)).toMatchObject({ code: 0, records: 4, faults: [] });
});

it('counts twice if the clock was set back while the subagent ran: a fault', async () => {
  const { ledger, sessions, importAll, ofMain, fork } = begin(4);
  ofMain.session.header.timestamp = '2026-11-20T08:00:00.000Z';
  for (const file of [ofMain, fork]) write(sessions, file);
  await importAll();
  expect(await found(ledger, sessions)).toMatchObject({
    code: 1,
    records: 5,
    faults: ['claim_differs'],
  });
});

it('counts once beside the original, though the fork’s clock was before it', async () => {
  for (const minute of [-60, 4]) {
    const { ledger, sessions, importAll, main, ofMain, fork } = begin(minute);
    for (const file of [fork, main, ofMain]) {
      write(sessions, file);
      await importAll();
    }
    expect(await found(ledger, sessions)).toMatchObject({ code: 0, records: 4, faults: [] });
  }
});
