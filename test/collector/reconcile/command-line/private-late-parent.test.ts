/** A private subagent's file that was imported before the file of the paused session. */
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { fileOf } from '../../../extension/support/fake-session.ts';
import { writeSession } from '../../importers/support/files.ts';
import {
  childAt,
  of40and60,
  parentWith,
  placeBelow,
} from '../../importers/support/private-family.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import { type CommandLine, commandLine } from '../support/command-line.ts';
import { outcome } from '../support/outcome.ts';

const directory = temporaryDirectory();
let sessions: string;
let ledger: CommandLine;
beforeEach(() => {
  sessions = mkdtempSync(join(directory, 'sessions-'));
  ledger = commandLine(directory);
});

const importAll = () => ledger.run('import', '--pi', sessions);

/** Sessions that reports count. */
async function counted(): Promise<readonly string[]> {
  const { printed } = await ledger.run('report', '--by', 'session', '--json');
  const { rows } = JSON.parse(printed) as {
    readonly rows: readonly { readonly session: string }[];
  };
  return rows.map(({ session }) => session).sort();
}

describe('a private subagent that was imported before its parent', () => {
  const parent = parentWith({});
  const named = parentWith({ details: { results: [{ sessionId: 'child' }] } });
  const summed = parentWith({ usage: of40and60 });

  it.each([
    ['lies below it', parent, childAt(12), placeBelow(parent)],
    ['is named by it', named, childAt(12), undefined],
    ['spent what a result says', summed, childAt(12, 'child', fileOf(summed)), undefined],
  ])('is taken back, once, and said so: it %s', async (_how, paused, child, place) => {
    writeSession(sessions, child, place);
    expect(await importAll()).toMatchObject({ code: 0 });
    expect(await counted()).toEqual(['child']);
    writeSession(sessions, paused);
    const second = await importAll();
    expect(second.code).toBe(0);
    expect(second.complained).toContain('imported before that session’s file was known');
    expect(second.complained).toContain('session child is taken back');
    expect(await counted()).toEqual(['parent']);
    expect(await outcome(ledger, '--pi', sessions)).toMatchObject({ code: 0, faults: [] });
    expect((await importAll()).complained).toBe('');
    const { printed } = await ledger.run('withdraw', 'list');
    expect(printed.match(/session child/g)).toHaveLength(1);
  });

  it('is taken back though its file is gone, with its own subagents', async () => {
    const kept = writeSession(sessions, childAt(12), placeBelow(parent, 'r'));
    const below = join(placeBelow(parent, 'r').replace('.jsonl', ''), 'q', 'session.jsonl');
    writeSession(sessions, childAt(13, 'below'), below);
    writeSession(sessions, childAt(5, 'before'), placeBelow(parent, 'before'));
    await importAll();
    rmSync(kept);
    writeSession(sessions, parent);
    expect(await importAll()).toMatchObject({ code: 0 });
    expect(await counted()).toEqual(['before', 'parent']);
    expect(await outcome(ledger, '--pi', sessions)).toMatchObject({ code: 0, faults: [] });
  });

  it('stays where its days are sealed, and import says why', async () => {
    writeSession(sessions, childAt(12), placeBelow(parent));
    writeSession(sessions, childAt(2 * 24 * 60, 'newer'));
    await importAll();
    await ledger.run('seal', '--before', '2026-11-21');
    writeSession(sessions, parent);
    const { complained } = await importAll();
    expect(complained).toContain('still in the totals: session: what happened before 2026-11-21');
    expect((await importAll()).complained).toContain('still in the totals');
    expect(await counted()).toEqual(['child', 'newer']);
  });
});

it('an import of an earlier version, which left it, is put right by the next one', async () => {
  const parent = parentWith({});
  const alone = mkdtempSync(join(directory, 'alone-'));
  writeSession(alone, childAt(12), placeBelow(parent));
  await ledger.run('import', '--pi', alone);
  // The same file in another folder: no import noticed that it was recorded.
  writeSession(sessions, parent);
  mkdirSync(join(sessions, 'x'));
  cpSync(alone, sessions, { recursive: true });
  const { code, printed } = await ledger.run('reconcile', '--pi', sessions);
  expect(code).toBe(1);
  expect(printed).not.toContain('another program or an older pi-ledger');
  await importAll();
  expect(await counted()).toEqual(['parent']);
});
