/** Private subagents whose parent's file is gone, or whose own file was moved. */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  answer,
  append,
  type FakeSession,
  fileOf,
  fork,
} from '../../../extension/support/fake-session.ts';
import { writeSession } from '../../importers/support/files.ts';
import {
  at,
  childAt,
  mark,
  of40and60,
  parentWith,
  placeBelow,
} from '../../importers/support/private-family.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import { commandLine } from '../support/command-line.ts';
import { outcome } from '../support/outcome.ts';
import type { Written } from '../support/subagent-family.ts';

const directory = temporaryDirectory();
/** Paused from minute 10 to 20. */
const parent = parentWith({ usage: of40and60 });
const parentFile = fileOf(parent);
const ofParent = (minute = 12) => childAt(minute, 'child', parentFile);
const other = childAt(-60, 'other');
const forkOf = (session: FakeSession, id = 'fork', minute = 30) => {
  const made = fork(session, id, at(minute));
  append(made, `${id}-own`, at(minute + 1), answer(`${id}-own`));
  return made;
};

/** Imports the files at once, and one by one from either end. */
async function countedOf(...written: readonly Written[]): Promise<readonly string[]> {
  return countedBeside([], ...written);
}

async function countedBeside(
  faults: readonly string[],
  ...written: readonly Written[]
): Promise<readonly string[]> {
  const orders = [
    [written],
    written.map((each) => [each]),
    written.toReversed().map((each) => [each]),
  ];
  const found: (readonly string[])[] = [];
  for (const steps of orders) {
    const home = mkdtempSync(join(directory, 'evidence-'));
    const ledger = commandLine(directory);
    for (const step of steps) {
      for (const [session, place] of step) writeSession(home, session, place);
      await ledger.run('import', '--pi', home);
    }
    expect(await outcome(ledger, '--pi', home)).toMatchObject({
      code: faults.length,
      faults,
    });
    const { answer: said } = await ledger.reconcile('--pi', home);
    found.push(
      said.sessions.flatMap(({ session, inLog }) =>
        inLog === null || inLog.records === 0 ? [] : [session],
      ),
    );
    rmSync(home, { recursive: true });
  }
  expect(found[1]).toEqual(found[0]);
  expect(found[2]).toEqual(found[0]);
  return (found[0] ?? []).filter((session) => session !== 'parent');
}

describe('a private subagent of a session of which only a fork is left', () => {
  it('whose header names that session, and that spent what the fork says, is private', async () => {
    expect(await countedOf([ofParent()], [forkOf(parent)])).toEqual(['fork']);
  });

  it('that lies below that session’s file is private', async () => {
    const copy = forkOf(parentWith({}));
    const [inStretch, before] = [childAt(12, 'in'), childAt(5, 'before')];
    expect(
      await countedOf(
        [inStretch, placeBelow(parent, 'in')],
        [before, placeBelow(parent, 'before')],
        [copy],
      ),
    ).toEqual(['before', 'fork']);
  });

  it.each([
    ['spent something else', childAt(12, 'child', parentFile), parentWith({})],
    ['began before the stretch', ofParent(5), parent],
    ['names another session', childAt(12, 'child', fileOf(other)), parent],
    ['names nobody', childAt(12), parent],
  ])('counts if it %s', async (_why, child, original) => {
    expect(await countedOf([other], [child], [forkOf(original)])).toEqual([
      'child',
      'fork',
      'other',
    ]);
  });

  it('counts if it began in a stretch of the fork itself', async () => {
    const own = fork(parentWith({}), 'fork', at(30));
    append(own, 'p', at(31), mark('paused'));
    const { entries } = parent;
    const said = entries.find(({ id }) => id === 't');
    append(own, 't9', at(35), { ...said });
    expect(await countedOf([ofParent(32)], [own])).toEqual(['child']);
  });
});

describe('a private subagent whose file was moved', () => {
  const naming = (sessionFile: string, more: object = {}) =>
    parentWith({
      details: { results: [{ agent: 'scout', sessionFile, usage: of40and60 }] },
      ...more,
    });
  const named = '/home/ada/sessions/x/r/run-0/session.jsonl';

  it.each([
    ['in the result of one subagent', naming(named)],
    [
      'of the result as a whole',
      parentWith({ usage: of40and60, details: { results: [{ sessionFile: named }] } }),
    ],
  ])('is private by its name and what it used: %s', async (_where, paused) => {
    expect(await countedOf([paused], [childAt(12), 'old/session.jsonl'])).toEqual([]);
  });

  it.each([
    [
      'it used something else',
      childAt(12),
      'old/session.jsonl',
      parentWith({ details: { results: [{ sessionFile: named, usage: { input: 5 } }] } }),
    ],
    ['it began after the stretch', childAt(25), 'old/session.jsonl', naming(named)],
    [
      'it lies below another session',
      childAt(12),
      '2026-11-20T08-00-00-000Z_other/r/session.jsonl',
      naming(named),
    ],
  ])('counts if %s', async (_why, child, place, paused) => {
    expect(await countedOf([paused], [other], [child, place])).toEqual(['child', 'other']);
  });

  it('counts under another name, a fault to reconcile until it is taken back', async () => {
    const moved: Written = [childAt(12), 'old/scout.jsonl'];
    const there: Written = [childAt(14, 'there'), 'x/r/run-0/session.jsonl'];
    expect(await countedBeside(['may_be_private'], [naming(named)], moved)).toEqual(['child']);
    expect(await countedOf([naming(named)], moved, there)).toEqual(['child']);
    const home = mkdtempSync(join(directory, 'evidence-'));
    const ledger = commandLine(directory);
    writeSession(home, ...moved);
    writeSession(home, naming(named));
    await ledger.run('import', '--pi', home);
    await ledger.run('withdraw', 'session', 'child', '--reason', 'private');
    expect(await outcome(ledger, '--pi', home)).toMatchObject({ code: 0, faults: [] });
  });

  it('counts if its header names another session', async () => {
    const child = childAt(12, 'child', fileOf(other));
    expect(await countedOf([naming(named)], [other], [child, 'old/session.jsonl'])).toEqual([
      'child',
      'other',
    ]);
  });
});
