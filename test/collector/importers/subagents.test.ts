/** pi's subagents with session files: their parents repeat the messages. */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pi } from '../../../collector/importers/pi/importer.ts';
import {
  answer,
  append,
  fileOf,
  fork,
  newSession,
  toolCall,
  toolResult,
  userSays,
} from '../../extension/support/fake-session.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { writeSession } from './support/files.ts';
import { createImports, memoryProgress, sayings } from './support/imports.ts';
import { accounts, agents, newestAgents, permutations } from './support/subagents.ts';

const root = temporaryDirectory();

const startMs = Date.parse('2026-11-20T09:00:00.000Z');

const at = (second: number) => startMs + second * 1_000;

/**
 * A parent whose tool result repeats the two answers of a child with its own session file, and a
 * child of the child.
 */
function family() {
  const parent = newSession('parent', at(0));
  const child = newSession('child', at(2));
  const grandchild = newSession('grandchild', at(4));
  append(grandchild, 'u3', at(5), userSays());
  append(grandchild, 'g1', at(6), answer('g1', { timestamp: at(6) }));
  append(child, 'u2', at(3), userSays());
  append(
    child,
    'c1',
    at(4),
    answer('c1', { timestamp: at(4), content: [toolCall('t2', 'subagent')] }),
  );
  append(child, 'x2', at(7), repeated('t2', [grandchild]));
  append(child, 'c2', at(8), answer('c2', { timestamp: at(8) }));
  append(parent, 'u1', at(1), userSays());
  append(
    parent,
    'p1',
    at(2),
    answer('p1', { timestamp: at(2), content: [toolCall('t1', 'subagent')] }),
  );
  append(parent, 'x1', at(9), repeated('t1', [child]));
  return { parent, child, grandchild };
}

type Session = ReturnType<typeof newSession>;

function repeated(callId: string, sessions: readonly Session[]) {
  const messages = sessions.flatMap(({ entries }) => entries.map(({ message }) => message));
  const { message, ...entry } = toolResult(callId, 'subagent');
  return {
    ...entry,
    message: { ...message, details: { results: [{ agent: 'worker', messages }] } },
  };
}

describe('pi’s subagents with session files', () => {
  const expected = [
    ['child', 'grandchild', 'g1', 'turn:c1'],
    ['parent', 'child', 'c1', 'turn:p1'],
    ['parent', 'child', 'c2', 'turn:p1'],
  ];

  it('account for their answers to the session repeating them, in any file order', async () => {
    const { parent, child, grandchild } = family();
    const said: (readonly string[])[] = [];
    for (const order of permutations([parent, child, grandchild])) {
      const directory = mkdtempSync(join(root, 'sessions-'));
      const imports = createImports(pi, directory);
      for (const session of order) {
        writeSession(directory, session);
        await imports.scan();
      }
      expect(accounts(imports)).toEqual(expect.arrayContaining(expected));
      expect(newestAgents(imports)).toMatchObject({
        parent: ['main', null],
        child: ['subagent', 'parent'],
        grandchild: ['subagent', 'child'],
      });
      expect(await imports.scan()).toMatchObject({
        files: { unchanged: 3, read: 0 },
        events: { new: 0, known: 0 },
      });
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
    await imports.scan();
    append(child, 'c3', at(10), answer('c3', { timestamp: at(10) }));
    expect(writeSession(directory, child)).toBe(path);
    await imports.scan();
    expect(accounts(imports)).toContainEqual(['parent', 'child', 'c3', 'turn:p1']);
  });

  it('are not their parent’s forks', async () => {
    const { parent, child } = family();
    const directory = mkdtempSync(join(root, 'sessions-'));
    const imports = createImports(pi, directory);
    for (const session of [parent, child, fork(parent, 'fork', at(60))])
      writeSession(directory, session);
    await imports.scan();
    expect(agents(imports).fork).toEqual(['main', 'parent']);
    expect(accounts(imports).filter(([, from]) => from === 'fork' || from === 'parent')).toEqual(
      [],
    );
  });

  it('are recognized although a scan was interrupted before', async () => {
    const { parent, child } = family();
    const directory = mkdtempSync(join(root, 'sessions-'));
    const progress = memoryProgress();
    for (const session of [child, parent]) writeSession(directory, session);
    const lateChildren = () => {
      throw new Error('killed');
    };
    await expect(
      createImports(pi, directory, { ...progress, lateChildren }).scan(),
    ).rejects.toThrow('killed');
    const imports = createImports(pi, directory, progress);
    expect(await imports.scan()).toMatchObject({ files: { unchanged: 2, read: 0 } });
    expect(accounts(imports).map(([to, , entry]) => [to, entry])).toEqual([
      ['parent', 'c1'],
      ['parent', 'x2'],
      ['parent', 'c2'],
    ]);
  });

  it('may be forked from their parents, and forks of theirs are not theirs', async () => {
    const { parent, child } = family();
    const header = {
      ...child.header,
      timestamp: new Date(at(2) + 500).toISOString(),
      parentSession: fileOf(parent),
    };
    const forked = { ...child, header, entries: [...parent.entries.slice(0, 2), ...child.entries] };
    const later = fork(child, 'later', at(60));
    append(later, 'l1', at(61), answer('l1', { timestamp: at(61) }));
    const directory = mkdtempSync(join(root, 'sessions-'));
    for (const session of [parent, forked, later]) writeSession(directory, session);
    const imports = createImports(pi, directory);
    await imports.scan();
    expect(accounts(imports).map(([to, from, entry]) => [to, from, entry])).toEqual([
      ['parent', 'child', 'c1'],
      ['parent', 'child', 'x2'],
      ['parent', 'child', 'c2'],
    ]);
    expect(newestAgents(imports).later).toEqual(['main', 'child']);
  });

  it('are found by a claim that hangs below no answer', async () => {
    const { parent, child } = family();
    const directory = mkdtempSync(join(root, 'sessions-'));
    const torn = {
      ...parent,
      entries: parent.entries.slice(2).map((entry) => ({ ...entry, parentId: null })),
    };
    for (const session of [torn, child]) writeSession(directory, session);
    const imports = createImports(pi, directory);
    await imports.scan();
    expect(accounts(imports)).toContainEqual(['parent', 'child', 'c1', 'turn:x1']);
  });

  it('are known by progress, not by the files of one pass', async () => {
    const { parent, child } = family();
    const progress = memoryProgress();
    const directory = mkdtempSync(join(root, 'sessions-'));
    const path = writeSession(directory, parent);
    await createImports(pi, directory, progress).scan();
    rmSync(path);
    writeSession(directory, child);
    const imports = createImports(pi, directory, progress);
    await imports.scan();
    expect(accounts(imports).length).toBeGreaterThan(0);
  });
});
