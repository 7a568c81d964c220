/** Subagents of private stretches, whose files say nothing of a pause themselves. */
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { pi } from '../../../collector/importers/pi/importer.ts';
import {
  answer,
  append,
  type FakeSession,
  fileOf,
  newSession,
  usage,
} from '../../extension/support/fake-session.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { linesOfSession, writeSession } from './support/files.ts';
import { createImports, type Imports, memoryProgress } from './support/imports.ts';
import {
  at,
  childAt,
  mark,
  of40and60,
  parentWith,
  placeBelow,
  result,
  stemOf,
} from './support/private-family.ts';

const directory = temporaryDirectory();
let home: string;
let imports: Imports;
beforeEach(() => {
  home = mkdtempSync(join(directory, 'private-'));
  imports = createImports(pi, home);
});

const subjects = () => new Set([...imports.events.values()].map(({ subject }) => subject));

describe('a subagent of a private stretch is private as a whole', () => {
  it('if it lies below its parent’s file and began in the stretch', async () => {
    const parent = parentWith({});
    writeSession(home, parent);
    writeSession(home, childAt(5, 'before'), placeBelow(parent, 'before'));
    writeSession(home, childAt(12, 'child'), placeBelow(parent, 'child'));
    writeSession(home, childAt(25, 'after'), placeBelow(parent, 'after'));
    await imports.scan();
    expect(subjects()).toEqual(new Set(['parent', 'before', 'after']));
  });

  it('and so are its own, whenever they began', async () => {
    const parent = parentWith({});
    writeSession(home, parent);
    const child = join(stemOf(parent), 'r', 'run-0', 'session');
    writeSession(home, childAt(12), `${child}.jsonl`);
    writeSession(home, childAt(30, 'below'), join(child, 'q', 'run-0', 'session.jsonl'));
    writeSession(home, childAt(30, 'beside'), join(stemOf(parent), 'r', 'beside.jsonl'));
    await imports.scan();
    expect(subjects()).toEqual(new Set(['parent', 'beside']));
  });

  it.each([
    ['its id', (child: FakeSession) => ({ results: [{ agent: 'a', sessionId: child.id }] })],
    ['its file', (child: FakeSession) => ({ sessionFile: `/elsewhere/${fileOf(child)}` })],
    ['its file’s place', () => ({ results: [{ sessionFile: '/there/r/run-0/session.jsonl' }] })],
  ])('if a result in the stretch names %s', async (_name, details) => {
    const child = childAt(30);
    writeSession(home, child, _name.endsWith('place') ? 'x/r/run-0/session.jsonl' : undefined);
    writeSession(home, childAt(30, 'other'));
    writeSession(home, parentWith({ details: details(child) }));
    await imports.scan();
    expect(subjects()).toEqual(new Set(['parent', 'other']));
  });

  it('if a result in the stretch repeats its answers', async () => {
    const child = childAt(12);
    const messages = child.entries.flatMap(({ message }) => (message ? [message] : []));
    writeSession(home, child);
    writeSession(home, childAt(12, 'other'));
    writeSession(home, parentWith({ details: { results: [{ agent: 'scout', messages }] } }));
    await imports.scan();
    expect(subjects()).toEqual(new Set(['parent', 'other']));
  });

  it('if its header names the parent and a result in the stretch says what it used', async () => {
    const parent = parentWith({ usage: of40and60 });
    writeSession(home, parent);
    writeSession(home, childAt(12, 'child', fileOf(parent)));
    writeSession(home, childAt(12, 'stranger'));
    const next = childAt(12, 'next', fileOf(parent));
    append(next, 'more', at(13), answer('more', { usage: usage(1) }));
    next.entries.splice(1, 1);
    writeSession(home, next);
    await imports.scan();
    expect(subjects()).toEqual(new Set(['parent', 'stranger', 'next']));
  });

  it('... also if it names the parent’s file, which has another name by now', async () => {
    writeSession(home, parentWith({ usage: of40and60 }), 'talk.jsonl');
    writeSession(home, childAt(12, 'child', '/sessions/talk.jsonl'));
    writeSession(home, childAt(12, 'stranger', '/sessions/other.jsonl'));
    await imports.scan();
    expect(subjects()).toEqual(new Set(['parent', 'stranger']));
  });

  it('if results say what it used one after another', async () => {
    const parent = parentWith({ usage: usage(60) });
    writeSession(home, parent);
    writeSession(home, childAt(12, 'child', fileOf(parent)));
    await imports.scan();
    expect(subjects()).toEqual(new Set(['parent']));
  });
});

describe('the files of a private stretch may come in any order', () => {
  it('the subagent’s long after its parent’s, which is gone, by another process', async () => {
    const progress = memoryProgress();
    imports = createImports(pi, home, progress);
    const parent = parentWith({ details: { results: [{ sessionId: 'named' }] } });
    const parentFile = writeSession(home, parent);
    await imports.scan();
    rmSync(parentFile);
    writeSession(home, childAt(12), placeBelow(parent));
    writeSession(home, childAt(40, 'named'));
    await imports.scan();
    expect(subjects()).toEqual(new Set(['parent']));
  });

  it('the subagent’s own subagents after it', async () => {
    const parent = parentWith({});
    writeSession(home, parent);
    const child = childAt(12);
    append(child, 't', at(13), result({ details: { results: [{ sessionId: 'below' }] } }));
    writeSession(home, child, placeBelow(parent));
    await imports.scan();
    writeSession(home, childAt(50, 'below'));
    await imports.scan();
    expect(subjects()).toEqual(new Set(['parent']));
  });

  it('the subagent’s while its parent’s is still being written', async () => {
    const parent = parentWith({});
    const child = writeSession(home, childAt(12), placeBelow(parent));
    const parentFile = writeSession(home, parent);
    const nowMs = Date.now() + 60_000;
    utimesSync(child, new Date(nowMs - 600_000), new Date(nowMs - 600_000));
    utimesSync(parentFile, new Date(nowMs - 1_000), new Date(nowMs - 1_000));
    const { files } = await imports.scan({ now: () => nowMs, quietMs: 120_000 });
    expect(files).toMatchObject({ found: 2, read: 1, leftAlone: 1 });
    expect(subjects()).toEqual(new Set());
  });

  it('and it counts as read, until it changes, and stays private then', async () => {
    const parent = parentWith({});
    writeSession(home, parent);
    const child = childAt(12);
    const file = writeSession(home, child, placeBelow(parent));
    expect((await imports.scan()).files).toMatchObject({ read: 2, failed: 0 });
    expect((await imports.scan()).files).toMatchObject({ read: 0, unchanged: 2 });
    append(child, 'more', at(30), answer('more'));
    writeFileSync(file, `${linesOfSession(child).join('\n')}\n`);
    expect((await imports.scan()).files).toMatchObject({ read: 1, unchanged: 1 });
    expect(subjects()).toEqual(new Set(['parent']));
  });
});

describe('what is no subagent of a private stretch is recorded', () => {
  it('a session whose header alone names the parent: a fork, a next session', async () => {
    const parent = parentWith({});
    writeSession(home, parent);
    writeSession(home, childAt(12, 'next', fileOf(parent)));
    await imports.scan();
    expect(subjects()).toEqual(new Set(['parent', 'next']));
  });

  it.each([5, 21])(
    'one of minute %i that a result outside of the stretch names',
    async (minute) => {
      const parent = parentWith({});
      append(parent, 't2', at(22), result({ details: { results: [{ sessionId: 'child' }] } }));
      writeSession(home, parent);
      writeSession(home, childAt(minute));
      await imports.scan();
      expect(subjects()).toEqual(new Set(['parent', 'child']));
    },
  );

  it('one that began paused and was resumed, from there on', async () => {
    const parent = parentWith({});
    const child = newSession('child', at(12));
    append(child, 'p', at(12), mark('paused'));
    append(child, 'x', at(13), answer('secret'));
    append(child, 'r', at(14), mark('resumed'));
    append(child, 'y', at(15), answer('open'));
    writeSession(home, parent);
    writeSession(home, child, placeBelow(parent));
    await imports.scan();
    const turns = imports.of('pi.turn.completed.v1').filter(({ subject }) => subject === 'child');
    expect(turns.map(({ data }) => data.entryId)).toEqual(['y']);
  });

  it('one that began before the same end of the stretch was said once more', async () => {
    const parent = parentWith({});
    append(parent, 'm3', at(40), mark('resumed'));
    append(parent, 't3', at(42), result());
    writeSession(home, parent);
    for (const minute of [15, 30, 41])
      writeSession(home, childAt(minute, `at-${minute}`), placeBelow(parent, `r${minute}`));
    await imports.scan();
    expect(subjects()).toEqual(new Set(['parent', 'at-30']));
  });

  it('those of a parent that never paused, nor is anything remembered of it', async () => {
    const progress = memoryProgress();
    imports = createImports(pi, home, progress);
    const parent = parentWith({});
    const file = writeSession(home, parent);
    await imports.scan();
    expect(progress.privateParents().size).toBe(1);
    const lines = linesOfSession(parent).filter((line) => !line.includes('pi-ledger.recording'));
    writeFileSync(file, `${lines.join('\n')}\n`);
    writeSession(home, childAt(12), placeBelow(parent));
    await imports.scan();
    expect(progress.privateParents().size).toBe(0);
    expect(subjects()).toEqual(new Set(['parent', 'child']));
  });
});
