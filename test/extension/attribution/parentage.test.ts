import { describe, expect, it } from 'vitest';
import { findParentage } from '../../../extension/attribution/parentage.ts';

const root = '/s/2026-11-21T21-14-54-608Z_root';

describe('findParentage', () => {
  const options = {
    file: null,
    header: null,
    agentName: null,
    sessions: [],
    starter: null,
    ofProcess: null,
    headerOfFile: () => null,
  };
  const open = (id: string, file: string | null, isOver = false) => ({ id, file, isOver });

  it('trusts the file over the environment', () => {
    const ofProcess = { sessionId: 'p', key: 'turn:t' };
    expect(findParentage({ ...options, file: `${root}/SubA.jsonl`, ofProcess })).toEqual({
      parent: { sessionId: 'root', key: 'agent:SubA' },
      parentSessionId: 'root',
      kind: 'in-process',
    });
    expect(findParentage({ ...options, ofProcess })).toEqual({
      parent: ofProcess,
      parentSessionId: 'p',
      kind: 'child-process',
    });
    expect(findParentage(options)).toEqual({ parent: null, parentSessionId: null, kind: 'none' });
  });

  it('knows the parent whose file a user named', () => {
    const named = { parentSession: '/s/talk.jsonl', id: 'kid', cwd: null, timeMs: 0 };
    const header = { ...named, timestamp: '', formatVersion: 3 };
    const sessions = [open('talk', '/s/talk.jsonl')];
    expect(findParentage({ ...options, file: '/s/talk/SubA.jsonl', header, sessions })).toEqual({
      parent: { sessionId: 'talk', key: 'agent:SubA' },
      parentSessionId: 'talk',
      kind: 'in-process',
    });
  });

  it('accounts nothing for a subagent whose parent this process does not know', () => {
    const file = `${root}/SubA/SubA.B.jsonl`;
    const sessions = [open('other', `${root}/SubC.jsonl`)];
    expect(findParentage({ ...options, file, sessions })).toEqual({
      parent: null,
      parentSessionId: null,
      kind: 'in-process',
    });
  });

  it('takes for the parent without a file the one that is open and was last in use', () => {
    const sessions = [
      open('a', null),
      open('b', null),
      open('c', null, true),
      open('d', '/s/d.jsonl'),
    ];
    expect(
      findParentage({ ...options, agentName: 'task', file: '/tmp/omp-task-1/SubA.jsonl', sessions })
        .parentSessionId,
    ).toBe('b');
    expect(findParentage({ ...options, file: '/tmp/omp-task-1/SubA.jsonl', sessions }).kind).toBe(
      'none',
    );
  });
});
