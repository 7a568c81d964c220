import { describe, expect, it } from 'vitest';
import { type Header, readHeader } from '../../../core/record/entry.ts';
import { parentOfFile, responseKeyOf } from '../../../core/record/subagent.ts';

const root = '/s/2026-11-21T21-14-54-608Z_01a1fff6';

function header(parentSession?: string): Header | null {
  return readHeader({
    type: 'session',
    version: 3,
    id: 's',
    timestamp: '2026-11-21T21:14:56.462Z',
    parentSession,
  });
}

describe('parentOfFile', () => {
  it('knows an omp subagent by the directory that it lies in, wherever that was copied to', () => {
    const expected = {
      parentSessionId: '01a1fff6',
      parentFile: `${root}.jsonl`,
      key: 'agent:SubA',
    };
    expect(
      parentOfFile(
        `${root}/SubA.jsonl`,
        header('/elsewhere/2026-11-21T21-14-54-608Z_01a1fff6.jsonl'),
      ),
    ).toEqual(expected);
    expect(parentOfFile(`${root}/SubA.jsonl`, null)).toEqual(expected);
  });

  it('knows the subagent of a subagent, whose parent’s id only the parent’s file tells', () => {
    const path = `${root}/SubA/SubA.SubB.jsonl`;
    expect(parentOfFile(path, header(`${root}/SubA.jsonl`))).toEqual({
      parentSessionId: null,
      parentFile: `${root}/SubA.jsonl`,
      key: 'agent:SubA.SubB',
    });
    expect(parentOfFile('/tmp/omp-task-15/SubA/SubA.SubB/SubA.SubB.C.jsonl', null)).toEqual({
      parentSessionId: null,
      parentFile: '/tmp/omp-task-15/SubA/SubA.SubB.jsonl',
      key: 'agent:SubA.SubB.C',
    });
  });

  it('knows one stored beside its parent, if the header says so', () => {
    expect(parentOfFile(`${root}/SubA.SubB.jsonl`, header(`/moved/SubA.jsonl`))).toEqual({
      parentSessionId: null,
      parentFile: `${root}/SubA.jsonl`,
      key: 'agent:SubA.SubB',
    });
    expect(parentOfFile(`${root}/SubA.SubB.jsonl`, null)).toMatchObject({
      parentSessionId: '01a1fff6',
    });
  });

  it('takes an advisor’s transcript for a subagent of the session that it advises', () => {
    expect(parentOfFile(`${root}/__advisor.jsonl`, header())).toMatchObject({
      parentSessionId: '01a1fff6',
      key: 'agent:__advisor',
    });
    expect(parentOfFile(`${root}/SubA/__advisor.jsonl`, header())).toMatchObject({
      parentFile: `${root}/SubA.jsonl`,
    });
    expect(parentOfFile(`${root}/SubA/__advisor.tests.jsonl`, header())).toEqual({
      parentSessionId: null,
      parentFile: `${root}/SubA.jsonl`,
      key: 'agent:__advisor.tests',
    });
  });

  it('knows a subagent by any name', () => {
    expect(parentOfFile(`${root}/null.x.jsonl`, null)).toMatchObject({
      parentSessionId: '01a1fff6',
      key: 'agent:null.x',
    });
  });

  it('knows it by its header below a file that a user named', () => {
    const expected = { parentSessionId: null, parentFile: '/s/talk.jsonl', key: 'agent:SubA' };
    for (const named of ['/s/talk.jsonl', 'C:\\was\\talk.jsonl'])
      expect(parentOfFile('/s/talk/SubA.jsonl', header(named))).toEqual(expected);
    for (const named of ['/s/chat.jsonl', '/s/talk', undefined])
      expect(parentOfFile('/s/talk/SubA.jsonl', header(named))).toBeNull();
    const fork = '/s/talk/2026-11-21T22-00-00-000Z_02.jsonl';
    expect(parentOfFile(fork, header('/s/talk.jsonl'))).toBeNull();
  });

  it('knows no parent beside a file without a directory', () => {
    expect(parentOfFile('SubA.SubB.jsonl', header('SubA.jsonl'))).toBeNull();
  });

  it('knows no session as its own parent: one in a folder of its own name', () => {
    expect(parentOfFile('/s/2026-11-21T21-14-54-608Z_s/session.jsonl', header())).toBeNull();
    expect(parentOfFile('/s/2026-11-21T21-14-54-608Z_s/session.jsonl', null)).not.toBeNull();
  });

  it('truncates a name to the contract’s length', () => {
    expect(parentOfFile(`${root}/${'x'.repeat(600)}.jsonl`, null)?.key).toBe(
      `agent:${'x'.repeat(494)}`,
    );
  });

  it('does not believe a header that names another file than the parent beside it', () => {
    for (const named of ['/moved/SubX.jsonl', '/moved/SubA.md', '/moved/.jsonl', '', undefined])
      expect(parentOfFile(`${root}/SubA.SubB.jsonl`, header(named))).toMatchObject({
        parentSessionId: '01a1fff6',
      });
    const beside = `${root}/SubA/SubA.SubB.jsonl`;
    expect(parentOfFile(beside, header('/moved/SubA.jsonl'))).toMatchObject({
      parentFile: `${root}/SubA.jsonl`,
    });
  });

  it('reads paths of Windows', () => {
    const directory = 'C:\\s\\2026-11-21T21-14-54-608Z_01a1fff6';
    expect(parentOfFile(`${directory}\\SubA.jsonl`, null)).toMatchObject({
      parentSessionId: '01a1fff6',
      parentFile: `${directory}.jsonl`,
    });
  });

  it.each([
    `${root}.jsonl`,
    `${root}/2026-11-21T22-00-00-000Z_02.jsonl`,
    `${root}/SubA.md`,
    `${root}/.jsonl`,
    '/s/notes.jsonl',
    '/s/SubA/SubB.jsonl',
    '/s/SubA/SubAB.jsonl',
    '/s/SubA/x.__advisor.jsonl',
    '/s/SubA/__advisors.jsonl',
    '/.x.jsonl',
    '/s//.x.jsonl',
    '/s//__advisor.jsonl',
    '/tmp/omp-task-15/SubA.jsonl',
    'SubA.jsonl',
    '/SubA.jsonl',
    '',
  ])('takes %s for no subagent', (path) => {
    expect(parentOfFile(path, header('/s/2026-11-21T21-14-54-608Z_01a1fff6.jsonl'))).toBeNull();
  });
});

describe('responseKeyOf', () => {
  const message = {
    role: 'assistant',
    responseId: 'r1',
    timestamp: 5,
    usage: { input: 1, cost: { total: 0.1, input: 0.1 } },
    content: [],
  };

  it('is the same for the same answer, however it is kept', () => {
    const repeated = {
      usage: { cost: { input: 0.1, total: 0.1 }, input: 1 },
      timestamp: 5,
      responseId: 'r1',
      model: 'cut',
    };
    expect(responseKeyOf(message)).toMatch(/^response:[0-9a-f]{16}$/);
    expect(responseKeyOf(repeated)).toBe(responseKeyOf(message));
  });

  it.each([
    { responseId: 'r2' },
    { responseId: null },
    { timestamp: 6 },
    { usage: { input: 2 } },
    { usage: undefined },
  ])('differs with %j', (changed) => {
    expect(responseKeyOf({ ...message, ...changed })).not.toBe(responseKeyOf(message));
  });

  it('takes an answer without id, time or figures as it is', () => {
    expect(responseKeyOf({ responseId: null, timestamp: null, usage: null })).toBe(
      responseKeyOf({}),
    );
  });
});
