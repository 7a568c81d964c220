/** Records of a private stretch that are in the log: recorded by somebody who knew of no pause. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../../support/directory.ts';
import { commandLine } from '../support/command-line.ts';
import { corpusDirectory } from '../support/corpus.ts';
import { outcome } from '../support/outcome.ts';

const directory = temporaryDirectory();
const marked = join(corpusDirectory, 'cases', 'private', 'home', '.pi', 'agent', 'sessions');

/** The same sessions, as a host without marks of ours writes them. */
function withoutMarks(): string {
  const copy = mkdtempSync(join(directory, 'unmarked-'));
  cpSync(marked, copy, { recursive: true });
  for (const name of readdirSync(copy, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.jsonl')) continue;
    const path = join(copy, name);
    const lines = readFileSync(path, 'utf8').split('\n');
    writeFileSync(path, lines.filter((line) => !line.includes('pi-ledger.recording')).join('\n'));
  }
  return copy;
}

test('records of a private stretch in the log are named, and how to be rid of them', async () => {
  const ledger = commandLine(directory);
  expect(await ledger.run('import', '--pi', withoutMarks())).toMatchObject({ code: 0 });
  expect(await outcome(ledger, '--pi', marked)).toMatchObject({
    code: 1,
    faults: ['private_in_log'],
  });
  const { printed } = await ledger.run('reconcile', '--pi', marked);
  expect(printed).toContain('`pi-ledger withdraw event ID`');
  const ids = [...printed.matchAll(/^private_in_log: .* event (\S+)$/gm)].map(([, id]) =>
    String(id),
  );
  expect(ids).toHaveLength(3);
  for (const id of ids)
    expect(await ledger.run('withdraw', 'event', id, '--reason', 'private')).toMatchObject({
      code: 0,
    });
  const withdrawn = () => outcome(ledger, '--pi', marked);
  await expect.poll(withdrawn).toMatchObject({ code: 0, faults: [] });
  // What the marks say is not recorded at all.
  await ledger.run('import', '--pi', marked);
  await expect.poll(withdrawn).toMatchObject({ code: 0, faults: [] });
});

test('what was private is named with its number', async () => {
  const ledger = commandLine(directory);
  await ledger.run('import', '--pi', marked);
  const { answer } = await ledger.reconcile('--pi', marked);
  const found = answer.sessions.map(({ session, differences }) => [
    session.slice(0, 8),
    differences.filter(({ reason }) => reason === 'private').map(({ count }) => count),
  ]);
  expect(found).toEqual([
    ['019a004d', [2]],
    ['019a004e', [1]],
  ]);
  expect((await ledger.run('reconcile', '--pi', marked)).printed).toContain(
    'Made while recording was paused (/ledger pause)',
  );
});

test('a damaged line of a private stretch is missed by nobody', async () => {
  const damaged = mkdtempSync(join(directory, 'damaged-'));
  cpSync(marked, damaged, { recursive: true });
  const [name = ''] = readdirSync(damaged, { recursive: true, encoding: 'utf8' }).filter((each) =>
    each.endsWith('4d.jsonl'),
  );
  const lines = readFileSync(join(damaged, name), 'utf8').split('\n');
  const at = lines.findIndex((line) => line.includes('a1000006'));
  lines[at] = `${lines[at]?.slice(0, -20)}`;
  writeFileSync(join(damaged, name), lines.join('\n'));
  const ledger = commandLine(directory);
  expect((await ledger.run('import', '--pi', damaged)).printed).not.toContain('may hold spend');
  expect(await outcome(ledger, '--pi', damaged)).toMatchObject({ code: 0, faults: [] });
});

test('a session says how much of it is private, never as unknown spend', async () => {
  const ledger = commandLine(directory);
  await ledger.run('import', '--pi', marked);
  const { printed } = await ledger.run('sessions', 'show', '019a004d');
  expect(printed).toMatch(/private +2 entries not recorded/);
  expect(printed).not.toContain('n/a');
});
