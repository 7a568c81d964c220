/**
 * Forks, clones and branches: one unit of spend is one record in the session that made it,
 * whichever file is read first.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Importer } from '../../../collector/importers/importer.ts';
import { omp } from '../../../collector/importers/omp/importer.ts';
import { pi } from '../../../collector/importers/pi/importer.ts';
import {
  answer,
  append,
  type FakeSession,
  fileOf,
  fork,
  newSession,
  toolCall,
  toolResult,
  userSays,
} from '../../extension/support/fake-session.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { writeSession } from './support/files.ts';
import { createImports, type Imports } from './support/imports.ts';

const root = temporaryDirectory();
const startMs = Date.parse('2026-11-20T09:00:00.000Z');
const at = (minute: number) => startMs + minute * 60_000;

/** A grandparent, its fork and a fork of that, each with two answers of its own. */
function family(): { grandparent: FakeSession; parent: FakeSession; child: FakeSession } {
  const grandparent = newSession('g', at(0));
  talk(grandparent, 'g', 1);
  const parent = fork(grandparent, 'p', at(10));
  talk(parent, 'p', 11);
  const child = fork(parent, 'c', at(20));
  talk(child, 'c', 21);
  return { grandparent, parent, child };
}

function talk(session: FakeSession, name: string, minute: number): void {
  append(session, `${name}-user`, at(minute), userSays());
  append(
    session,
    `${name}-1`,
    at(minute + 1),
    answer(`${name}-r1`, { content: [toolCall('t', 'read', { path: '/srv/shop/a.ts' })] }),
  );
  append(session, `${name}-tool`, at(minute + 2), toolResult('t', 'read'));
  append(session, `${name}-2`, at(minute + 3), answer(`${name}-r2`));
}

async function imported(
  sessions: readonly FakeSession[],
  importer: Importer = pi,
): Promise<{ imports: Imports; directory: string }> {
  const directory = mkdtempSync(join(root, 'sessions-'));
  for (const session of sessions) writeSession(directory, session);
  const imports = createImports(importer, directory);
  expect(await imports.scan()).toMatchObject({ issueCount: 0 });
  return { imports, directory };
}

function owners(imports: Imports): Record<string, string> {
  return Object.fromEntries(
    imports.of('pi.turn.completed.v1').map(({ data, subject }) => [data.entryId, subject]),
  );
}

const copies = (imports: Imports) =>
  imports
    .of('pi.session.copied.v1')
    .map(({ subject, data }) => [
      data.copySessionId,
      subject,
      data.entries,
      data.spendEntries,
      data.ownerAssumed,
    ]);

const allOwned = { 'g-1': 'g', 'g-2': 'g', 'p-1': 'p', 'p-2': 'p', 'c-1': 'c', 'c-2': 'c' };

describe('copied entries', () => {
  it('count once, in the session that made them, and name where copies are', async () => {
    const { grandparent, parent, child } = family();
    const { imports } = await imported([grandparent, parent, child]);
    expect(imports.of('pi.turn.completed.v1').length).toBe(6);
    expect(owners(imports)).toEqual(allOwned);
    expect(copies(imports).sort()).toEqual([
      ['c', 'g', 4, 2, false],
      ['c', 'p', 4, 2, false],
      ['p', 'g', 4, 2, false],
    ]);
  });

  it('get the same owner from a named ancestor’s file, whichever is read first', async () => {
    const { grandparent, parent, child } = family();
    const { imports, directory } = await imported([grandparent, parent, child]);
    const copy = mkdtempSync(join(root, 'copy-'));
    const path = writeSession(copy, child);
    const alone = createImports(pi, copy);
    const elsewhere = {
      ...child,
      header: {
        ...child.header,
        parentSession: join(directory, fileOf(parent).split('/').at(-1) ?? ''),
      },
    };
    writeSession(copy, elsewhere);
    expect(await alone.scan()).toMatchObject({ issueCount: 0 });
    expect(path).toContain('_c.jsonl');
    expect(owners(alone)).toEqual(allOwned);
    expect(alone.of('pi.tool.completed.v1').map(({ data }) => data)).toEqual(
      expect.arrayContaining(imports.of('pi.tool.completed.v1').map(({ data }) => data)),
    );
  });

  it('belong to the old enough parent that the file name gives, if its file is gone', async () => {
    const { parent, child } = family();
    const { imports } = await imported([
      { ...child, entries: child.entries.filter(({ id }) => !String(id).startsWith('g')) },
    ]);
    expect(owners(imports)).toEqual({ 'p-1': 'p', 'p-2': 'p', 'c-1': 'c', 'c-2': 'c' });
    expect(copies(imports)).toEqual([['c', parent.id, 4, 2, false]]);
  });

  it('belong to the oldest known ancestor, marked as assumed, if the rest is gone', async () => {
    const { child } = family();
    const { imports } = await imported([child]);
    expect(owners(imports)).toMatchObject({ 'g-1': 'p', 'p-1': 'p', 'c-1': 'c' });
    expect(copies(imports).sort()).toEqual([
      ['c', 'p', 4, 2, false],
      ['c', 'p', 4, 2, true],
    ]);
  });

  it('count once when their owner comes later, or is gone by then', async () => {
    const { grandparent, parent, child } = family();
    for (const order of [
      [child, parent, grandparent],
      [child, grandparent, parent],
      [grandparent, child],
      [parent, child],
    ]) {
      const directory = mkdtempSync(join(root, 'sessions-'));
      const imports = createImports(pi, directory);
      for (const session of order) {
        const path = writeSession(directory, session);
        await imports.scan();
        rmSync(path);
      }
      expect(Object.keys(owners(imports)).sort()).toEqual(Object.keys(allOwned).sort());
      expect(imports.of('pi.turn.completed.v1').length).toBe(6);
    }
  });

  it('of omp’s forks, which name their parent by a bare id, are owned alike', async () => {
    const { grandparent, parent, child } = family();
    const bare = [
      grandparent,
      { ...parent, header: { ...parent.header, parentSession: 'g' } },
      { ...child, header: { ...child.header, parentSession: 'p' } },
    ];
    expect(owners((await imported(bare, omp)).imports)).toEqual(allOwned);
    const { imports } = await imported(bare.slice(2), omp);
    expect(owners(imports)).toMatchObject({ 'g-1': 'p', 'c-1': 'c' });
    expect(copies(imports)).toEqual([['c', 'p', 8, 4, true]]);
  });

  it('from which omp took the cost do not count beside those that have it', async () => {
    const { grandparent, parent } = family();
    const free = parent.entries.map((entry) =>
      JSON.parse(JSON.stringify(entry).replaceAll(/"cost":\{[^}]*\}/g, '"cost":{"total":0}')),
    );
    const tan = {
      ...parent,
      header: { ...parent.header, parentSession: 'g' },
      entries: [...free.slice(0, 4), ...parent.entries.slice(4)],
    };
    const { imports } = await imported([grandparent, tan], omp);
    expect(imports.of('pi.turn.completed.v1').length).toBe(4);
    expect(copies(imports)).toEqual([['p', 'g', 4, 2, false]]);
    const alone = await imported([tan], omp);
    expect(alone.imports.of('pi.turn.completed.v1').length).toBe(4);
  });

  it('of a session that names itself as its parent end the search', async () => {
    const session = newSession('s', at(5), {
      parentSession: '/sessions/2026-11-20T09-05-00-000Z_s.jsonl',
    });
    talk(session, 's', 1);
    expect(owners((await imported([session])).imports)).toEqual({ 's-1': 's', 's-2': 's' });
  });

  it('are only those in front: a clock that was set back makes no copies', async () => {
    const parent = newSession('p', at(0));
    talk(parent, 'p', 1);
    const child = fork(parent, 'c', at(20));
    talk(child, 'c', 21);
    append(child, 'late', at(2), answer('late'));
    expect(owners((await imported([parent, child])).imports)).toMatchObject({
      'p-1': 'p',
      'c-1': 'c',
      late: 'c',
    });
  });
});
