/**
 * Copies of a deleted omp session, some without prices: reconcile agrees with what counts, and
 * calls double counting a fault.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  answer,
  append,
  type FakeSession,
  fork,
  newSession,
} from '../../../extension/support/fake-session.ts';
import { writeSession } from '../../importers/support/files.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import { commandLine, explanationsIn, faultsIn } from '../support/command-line.ts';

const directory = temporaryDirectory();
const at = (minute: number) => Date.parse('2026-03-01T09:00:00.000Z') + minute * 60_000;

/**
 * When the copy without prices was made, and the time in the clone's header, which names no parent.
 */
async function told(tanMinute: number, cloneMinute: number) {
  const owner = newSession('a', at(0));
  append(owner, 'a1', at(1), answer('r1'));
  const forked = fork(owner, 'tan', at(tanMinute));
  const free = withoutPrices(forked);
  const clone = fork(owner, 'clone', at(cloneMinute));
  delete clone.header.parentSession;
  const ledger = commandLine(directory);
  const sessions = mkdtempSync(join(directory, 'sessions-'));
  writeSession(sessions, { ...forked, entries: free });
  await ledger.run('import', '--omp', sessions);
  writeSession(sessions, clone);
  await ledger.run('import', '--omp', sessions);
  const { code, answer: found } = await ledger.reconcile('--omp', sessions);
  const { total } = JSON.parse((await ledger.run('report', '--json')).printed);
  return {
    code,
    records: total.records,
    faults: faultsIn(found),
    explanations: explanationsIn(found),
  };
}

it.each([
  ['before', 5, 10],
  ['after', 10, 5],
])(
  'a copy without prices that was made %s a clone counts once, and that is explained',
  async (_when, tan, clone) => {
    expect(await told(tan, clone)).toEqual({
      code: 0,
      records: 1,
      faults: [],
      explanations: ['copied', 'owner_assumed'],
    });
  },
);

it('a clone under a set-back clock that owns its copies is a fault', async () => {
  expect(await told(5, -1)).toEqual({
    code: 1,
    records: 2,
    faults: ['twice_in_log'],
    explanations: ['copied'],
  });
});

it.each([
  ['are there', false],
  ['are gone', true],
])(
  'a copy without prices under a set-back clock beside its owner is a fault: its files %s',
  async (_how, areGone) => {
    const owner = newSession('a', at(1));
    append(owner, 'a1', at(2), answer('r1'));
    const forked = fork(owner, 'tan', at(0));
    const ledger = commandLine(directory);
    const sessions = mkdtempSync(join(directory, 'sessions-'));
    const paths = [
      writeSession(sessions, { ...forked, entries: withoutPrices(forked) }),
      writeSession(sessions, owner),
    ];
    await ledger.run('import', '--omp', sessions);
    for (const path of areGone ? paths : []) rmSync(path);
    const { code, answer: found } = await ledger.reconcile('--omp', sessions);
    expect({ code, faults: faultsIn(found) }).toEqual({ code: 1, faults: ['twice_in_log'] });
  },
);

function withoutPrices({ entries }: FakeSession): Record<string, unknown>[] {
  return entries.map((entry) =>
    JSON.parse(JSON.stringify(entry).replaceAll(/"cost":\{[^}]*\}/g, '"cost":{"total":0}')),
  );
}
