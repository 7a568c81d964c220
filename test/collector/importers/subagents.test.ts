/** Whose session a subagent's is: omp says it by the file's place, pi's tools by repeating what the child answered. */
import { cpSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { omp } from '../../../collector/importers/omp.ts';
import { pi } from '../../../collector/importers/pi.ts';
import { answer, append, fork, newSession, toolCall, toolResult, userSays } from '../../extension/support/fake-session.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { writeSession } from './support/files.ts';
import { createImports, type Imports, memoryProgress, recordedSessions, sayings } from './support/imports.ts';

const root = temporaryDirectory();
const startMs = Date.parse('2026-11-20T09:00:00.000Z');
const at = (second: number) => startMs + second * 1_000;

const accounts = (imports: Imports) =>
  imports.of('pi.subagent.accounted.v1').map(({ subject, data }) => [subject, data.childSessionId, data.childEntryId, data.keys[0]]);

const agents = (imports: Imports) =>
  Object.fromEntries(imports.of('pi.session.attributed.v1').map(({ subject, data }) => [subject, [data.agent.kind, data.parentSessionId]]));

describe('omp’s subagents', () => {
  const recorded = join(recordedSessions, 'omp18', 'json-task');

  it('belong to the session whose directory they stand in, wherever that was copied to', async () => {
    const copied = join(mkdtempSync(join(root, 'copied-')), 'deep');
    cpSync(recorded, copied, { recursive: true });
    for (const directory of [recorded, copied]) {
      const imports = createImports(omp, directory);
      await imports.pass();
      const main = imports.of('pi.session.started.v1').find(({ data }) => data.parentSessionId === null)?.subject;
      expect(new Set(accounts(imports).map(([parent, , , key]) => `${parent} ${key}`))).toEqual(new Set([`${main} agent:SubA`]));
      expect(Object.values(agents(imports))).toContainEqual(['subagent', main]);
    }
  });

  it('of subagents belong to these', async () => {
    const directory = join(recordedSessions, 'omp18', 'nested-task');
    const imports = createImports(omp, directory);
    await imports.pass();
    const parents = new Set(accounts(imports).map(([parent]) => parent));
    expect(parents.size).toBe(2);
    const kinds = Object.values(agents(imports)).map(([kind]) => kind);
    expect(kinds.toSorted()).toEqual(['main', 'subagent', 'subagent']);
  });
});

/** A parent whose tool result repeats the two answers of a child that has a session file of its own, and a child of the child. */
function family() {
  const parent = newSession('parent', at(0));
  const child = newSession('child', at(2));
  const grandchild = newSession('grandchild', at(4));
  append(grandchild, 'u3', at(5), userSays());
  append(grandchild, 'g1', at(6), answer('g1', { timestamp: at(6) }));
  append(child, 'u2', at(3), userSays());
  append(child, 'c1', at(4), answer('c1', { timestamp: at(4), content: [toolCall('t2', 'subagent')] }));
  append(child, 'x2', at(7), repeated('t2', [grandchild]));
  append(child, 'c2', at(8), answer('c2', { timestamp: at(8) }));
  append(parent, 'u1', at(1), userSays());
  append(parent, 'p1', at(2), answer('p1', { timestamp: at(2), content: [toolCall('t1', 'subagent')] }));
  append(parent, 'x1', at(9), repeated('t1', [child]));
  return { parent, child, grandchild };
}

type Session = ReturnType<typeof newSession>;

function repeated(callId: string, sessions: readonly Session[]) {
  const messages = sessions.flatMap(({ entries }) => entries.map(({ message }) => message));
  const { message, ...entry } = toolResult(callId, 'subagent');
  return { ...entry, message: { ...message, details: { results: [{ agent: 'worker', messages }] } } };
}

describe('pi’s subagents with session files', () => {
  const expected = [
    ['child', 'grandchild', 'g1', 'turn:c1'],
    ['parent', 'child', 'c1', 'turn:p1'],
    ['parent', 'child', 'c2', 'turn:p1'],
  ];

  it('account for their answers to the session that repeats them, in whatever order the files come', async () => {
    const { parent, child, grandchild } = family();
    const said: (readonly string[])[] = [];
    for (const order of permutations([parent, child, grandchild])) {
      const directory = mkdtempSync(join(root, 'sessions-'));
      const imports = createImports(pi, directory);
      for (const session of order) {
        writeSession(directory, session);
        await imports.pass();
      }
      expect(accounts(imports)).toEqual(expect.arrayContaining(expected));
      expect(agents(imports)).toMatchObject({ parent: ['main', null], child: ['subagent', 'parent'], grandchild: ['subagent', 'child'] });
      expect(await imports.pass()).toMatchObject({ files: { unchanged: 3, read: 0 }, events: { new: 0, known: 0 } });
      said.push(sayings(imports.of('pi.turn.completed.v1')));
    }
    expect(new Set(said.map(String)).size).toBe(1);
  });

  it('go on accounting when they grow', async () => {
    const { parent, child } = family();
    const directory = mkdtempSync(join(root, 'sessions-'));
    const imports = createImports(pi, directory);
    writeSession(directory, parent);
    const path = writeSession(directory, child);
    await imports.pass();
    append(child, 'c3', at(10), answer('c3', { timestamp: at(10) }));
    expect(writeSession(directory, child)).toBe(path);
    await imports.pass();
    expect(accounts(imports)).toContainEqual(['parent', 'child', 'c3', 'turn:p1']);
  });

  it('are not their parent’s forks', async () => {
    const { parent, child } = family();
    const directory = mkdtempSync(join(root, 'sessions-'));
    const imports = createImports(pi, directory);
    for (const session of [parent, child, fork(parent, 'fork', at(60))]) writeSession(directory, session);
    await imports.pass();
    expect(agents(imports).fork).toEqual(['main', 'parent']);
    expect(accounts(imports).filter(([, from]) => from === 'fork' || from === 'parent')).toEqual([]);
  });

  it('are known by progress, not by the files of one pass', async () => {
    const { parent, child } = family();
    const progress = memoryProgress();
    const directory = mkdtempSync(join(root, 'sessions-'));
    const path = writeSession(directory, parent);
    await createImports(pi, directory, progress).pass();
    rmSync(path);
    writeSession(directory, child);
    const imports = createImports(pi, directory, progress);
    await imports.pass();
    expect(accounts(imports).length).toBeGreaterThan(0);
    renameSync(join(directory), `${directory}-moved`);
  });
});

function permutations<Item>(items: readonly Item[]): Item[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, index) => permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]));
}
