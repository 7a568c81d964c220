/** omp’s subagents belong to the session whose directory they are in. */
import { cpSync, mkdtempSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { omp } from '../../../collector/importers/omp/importer.ts';
import { answer, append, newSession } from '../../extension/support/fake-session.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { writeLines, writeSession } from './support/files.ts';
import { createImports, recordedSessions } from './support/imports.ts';
import { accounts, agents, newestAgents, permutations } from './support/subagents.ts';

const root = temporaryDirectory();

const startMs = Date.parse('2026-11-20T09:00:00.000Z');

const at = (second: number) => startMs + second * 1_000;

describe('omp’s subagents', () => {
  const recorded = join(recordedSessions, 'omp18', 'json-task');

  it('belong to the session whose directory they are in, also in copies', async () => {
    const copied = join(mkdtempSync(join(root, 'copied-')), 'deep');
    cpSync(recorded, copied, { recursive: true });
    for (const directory of [recorded, copied]) {
      const imports = createImports(omp, directory);
      await imports.scan();
      const main = imports
        .of('pi.session.started.v1')
        .find(({ data }) => data.parentSessionId === null)?.subject;
      expect(new Set(accounts(imports).map(([parent, , , key]) => `${parent} ${key}`))).toEqual(
        new Set([`${main} agent:SubA`]),
      );
      expect(Object.values(agents(imports))).toContainEqual(['subagent', main]);
    }
  });

  it('of subagents belong to these', async () => {
    const directory = join(recordedSessions, 'omp18', 'nested-task');
    const imports = createImports(omp, directory);
    await imports.scan();
    const parents = new Set(accounts(imports).map(([parent]) => parent));
    expect(parents.size).toBe(2);
    const kinds = Object.values(agents(imports)).map(([kind]) => kind);
    expect(kinds.toSorted()).toEqual(['main', 'subagent', 'subagent']);
  });
});

/**
 * A session, its subagent A, A's subagent B and an advisor, with their paths, names and parents as
 * in omp.
 */
function nest() {
  const directory = '2026-11-20T09-00-00-000Z_main';
  return [
    { name: `${directory}.jsonl`, session: told('main', 0) },
    { name: join(directory, 'A.jsonl'), session: told('a', 1) },
    { name: join(directory, 'A', 'A.B.jsonl'), session: told('b', 2) },
    { name: join(directory, 'A', 'A.B', 'A.B.C.jsonl'), session: told('c', 3) },
  ];
}

function told(id: string, second: number) {
  const session = newSession(id, at(second));
  append(session, `${id}1`, at(second) + 1, answer(`r-${id}`));
  return session;
}

describe('omp’s subagents of subagents', () => {
  const expected = [
    ['a', 'b', 'b1', 'agent:A.B'],
    ['b', 'c', 'c1', 'agent:A.B.C'],
    ['main', 'a', 'a1', 'agent:A'],
  ];

  it('account to their parents in whatever order the files come', async () => {
    for (const order of permutations(nest())) {
      const directory = mkdtempSync(join(root, 'sessions-'));
      const imports = createImports(omp, directory);
      for (const { name, session } of order) {
        writeSession(directory, session, name);
        await imports.scan();
      }
      expect(accounts(imports).sort()).toEqual(expected);
      expect(newestAgents(imports)).toEqual({
        main: ['main', null],
        a: ['subagent', 'main'],
        b: ['subagent', 'a'],
        c: ['subagent', 'b'],
      });
      expect(await imports.scan()).toMatchObject({
        files: { unchanged: 4, read: 0 },
        bytes: 0,
        events: { new: 0, known: 0 },
      });
    }
  });

  it('are recognized while the parent’s file is missing, without rereading', async () => {
    const directory = mkdtempSync(join(root, 'sessions-'));
    const imports = createImports(omp, directory);
    for (const { name, session } of nest().slice(2, 3)) writeSession(directory, session, name);
    writeLines(join(directory, '2026-11-20T09-00-00-000Z_main', 'A.jsonl'), ['no header']);
    await imports.scan();
    expect(agents(imports)).toEqual({ b: ['subagent', null] });
    expect(await imports.scan()).toMatchObject({ bytes: 0, events: { new: 0, known: 0 } });
  });

  it('belong to where their files stand, not to where links to these do', async () => {
    const [main, first, second] = nest();
    const directory = mkdtempSync(join(root, 'sessions-'));
    for (const file of [main, first, second])
      if (file !== undefined) writeSession(directory, file.session, file.name);
    symlinkSync(join(directory, first?.name ?? ''), join(directory, '1-link-to-a-file.jsonl'));
    symlinkSync(
      join(directory, '2026-11-20T09-00-00-000Z_main'),
      join(directory, '1-link-to-a-directory'),
    );
    const imports = createImports(omp, directory);
    expect(await imports.scan()).toMatchObject({ files: { found: 3 } });
    expect(accounts(imports).sort()).toEqual(expected.filter(([, child]) => child !== 'c'));
  });
});
