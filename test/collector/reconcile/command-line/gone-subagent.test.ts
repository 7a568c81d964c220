/** A subagent whose file was imported and then deleted before its parent's was imported. */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  answer,
  append,
  fileOf,
  newSession,
  toolCall,
  toolResult,
} from '../../../extension/support/fake-session.ts';
import { writeSession } from '../../importers/support/files.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import { commandLine, explanationsIn, faultsIn } from '../support/command-line.ts';
import { delegating, spent, working } from '../support/subagent-family.ts';

const directory = temporaryDirectory();
const at = (minute: number) => Date.parse('2026-03-01T09:00:00.000Z') + minute * 60_000;

function forget(home: string): void {
  for (const suffix of ['', '-wal', '-shm'])
    rmSync(join(home, `imports.db${suffix}`), { force: true });
}

async function told(between: (home: string) => void) {
  const [parent, child] = [newSession('parent', at(0)), newSession('child', at(2))];
  append(child, 'c1', at(3), answer('c1', { timestamp: at(3) }));
  append(parent, 'p1', at(1), answer('p1', { content: [toolCall('t1', 'subagent')] }));
  const messages = child.entries.map(({ message }) => message);
  append(
    parent,
    'p2',
    at(4),
    toolResult('t1', 'subagent', false, { results: [{ agent: 'worker', messages }] }),
  );
  const ledger = commandLine(directory);
  const sessions = mkdtempSync(join(directory, 'sessions-'));
  const path = writeSession(sessions, child);
  await ledger.run('import', '--pi', sessions);
  rmSync(path);
  between(ledger.home);
  writeSession(sessions, parent);
  await ledger.run('import', '--pi', sessions);
  const { code, answer: found } = await ledger.reconcile('--pi', sessions);
  const { total } = JSON.parse((await ledger.run('report', '--json')).printed);
  return {
    code,
    records: total.records,
    faults: faultsIn(found),
    explanations: explanationsIn(found),
  };
}

describe('a subagent whose file is gone when its parent comes', () => {
  it('counts once, and that is explained', async () => {
    expect(await told(() => undefined)).toEqual({
      code: 0,
      records: 2,
      faults: [],
      explanations: ['file_gone', 'subagent_claim'],
    });
  });

  it('counts twice where the importer has forgotten it, and that is a fault', async () => {
    expect(await told(forget)).toMatchObject({ code: 1, records: 3, faults: ['claim_differs'] });
  });

  it('is a fault also where its header alone named the parent', async () => {
    const parent = delegating(
      [['a', 2, 1]],
      [{ id: 'c1', turn: 'a', second: 30, usage: spent(40, 60) }],
    );
    const answers = [
      [10, 40],
      [20, 60],
    ] as const;
    const ledger = commandLine(directory);
    const sessions = mkdtempSync(join(directory, 'sessions-'));
    const path = writeSession(sessions, working('kid', 5, answers, fileOf(parent)));
    await ledger.run('import', '--pi', sessions);
    rmSync(path);
    forget(ledger.home);
    writeSession(sessions, parent);
    await ledger.run('import', '--pi', sessions);
    const { code, answer: found } = await ledger.reconcile('--pi', sessions);
    expect({ code, faults: faultsIn(found) }).toEqual({ code: 1, faults: ['counted_twice'] });
  });
});
