import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readHeader } from '../../../core/record/entry.ts';
import {
  type AttributedSession,
  createAttributor,
} from '../../../extension/attribution/attribution.ts';
import type { Parentage } from '../../../extension/attribution/parentage.ts';
import { deadContext } from '../support/fake-session.ts';
import { problemsOf } from '../support/schemas.ts';

let root = '';
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'pi-ledger-attribution-')));
  mkdirSync(join(root, 'home/work/shop/src'), { recursive: true });
  mkdirSync(join(root, 'home/notes'), { recursive: true });
  execFileSync('git', [
    'init',
    '--quiet',
    '--initial-branch',
    'main',
    join(root, 'home/work/shop'),
  ]);
});
afterAll(() => rmSync(root, { recursive: true }));

const none: Parentage = { parent: null, parentSessionId: null, kind: 'none' };
const session: AttributedSession = {
  header: null,
  file: null,
  previousFile: null,
  parentage: none,
  agentName: null,
  billing: {},
};
const header = (parentSession?: string) =>
  readHeader({
    type: 'session',
    version: 3,
    id: 's',
    timestamp: '2026-01-01T00:00:00.000Z',
    cwd: '/srv/shop',
    parentSession,
  });

function attribute(
  ctx: unknown,
  overrides: Partial<AttributedSession> = {},
  agentName: string | null = null,
) {
  const attributor = createAttributor({
    host: { name: 'pi', version: '0.73.1' },
    fallbackMode: 'print',
    homeDirectory: join(root, 'home'),
    agentName,
    utcOffsetMinutes: () => 120,
  });
  const data = attributor.attribute(ctx, { ...session, ...overrides });
  const problems = problemsOf({
    id: '01a1fff4-fc7f-7000-8000-000000000000',
    type: 'pi.session.attributed.v1',
    time: '2026-01-01T00:00:00.000Z',
    subject: 's',
    data,
  });
  expect(problems).toEqual([]);
  return data;
}

describe('the attribution of a session', () => {
  it('names the project by its repository, else by its directory', () => {
    const name = (cwd: string) => attribute({ cwd }).project.name;
    expect(attribute({ cwd: join(root, 'home/work/shop/src') }).project).toEqual({
      name: 'shop',
      remote: null,
      branch: 'main',
      worktree: null,
    });
    expect(name(join(root, 'home/notes'))).toBe('notes');
    expect(name(join(root, 'home/work'))).toBe('work');
    expect(name(join(root, 'home'))).toBe('~');
    expect(name(root)).toBe(root);
    expect(name('')).toBe('unknown');
  });

  it('notices a repository that is made later', () => {
    const attributor = createAttributor({
      host: { name: 'pi', version: null },
      agentName: null,
      fallbackMode: 'tui',
      homeDirectory: root,
      utcOffsetMinutes: () => 0,
    });
    const cwd = join(root, 'home/later');
    mkdirSync(cwd);
    expect(attributor.attribute({ cwd }, session).project).toMatchObject({
      name: 'home/later',
      branch: null,
    });
    execFileSync('git', ['init', '--quiet', '--initial-branch', 'main', cwd]);
    expect(attributor.attribute({ cwd }, session).project).toMatchObject({
      name: 'later',
      branch: 'main',
    });
  });

  it('says who works where, on which host and in which mode', () => {
    const { user, machine, utcOffsetMinutes, host, mode } = attribute({ cwd: root });
    expect(user).not.toBe('');
    expect(machine).not.toBe('');
    expect([utcOffsetMinutes, host, mode]).toEqual([
      120,
      { name: 'pi', version: '0.73.1' },
      'print',
    ]);
    expect(attribute({ cwd: root, mode: 'rpc' }).mode).toBe('rpc');
  });

  it('knows a subagent by the host, its file, or its process’ environment', () => {
    const nested = header('/s/2026-11-21T21-14-54-608Z_01a1fff6/SubA.jsonl');
    const file = '/s/2026-11-21T21-14-54-608Z_01a1fff6/SubA/SubA.SubB.jsonl';
    const inside: Parentage = { parent: null, parentSessionId: 'sub-a', kind: 'in-process' };
    expect(attribute({ agent: { kind: 'sub', name: 'task' } }).agent).toEqual({
      kind: 'subagent',
      name: 'task',
    });
    expect(attribute({}, { header: nested, file, parentage: inside }).agent).toEqual({
      kind: 'subagent',
      name: 'SubA.SubB',
    });
    expect(
      attribute({}, { header: nested, file, parentage: inside, agentName: 'task' }),
    ).toMatchObject({
      agent: { kind: 'subagent', name: 'task' },
      parentSessionId: 'sub-a',
    });
    const told: Parentage = { parent: null, parentSessionId: 'p', kind: 'child-process' };
    expect(
      attribute(
        { agent: { kind: 'main' } },
        { header: header(), file: '/s/a.jsonl', parentage: told },
      ),
    ).toMatchObject({
      agent: { kind: 'subagent', name: null },
      parentSessionId: 'p',
    });
  });

  it('gives the configured name to the main agent, but not to subagents, which inherit it', () => {
    const told: Parentage = { parent: null, parentSessionId: 'p', kind: 'child-process' };
    expect(attribute({ cwd: root }, {}, 'nightly').agent).toEqual({
      kind: 'main',
      name: 'nightly',
    });
    expect(attribute({ agent: { kind: 'main' } }, {}, 'nightly').agent).toEqual({
      kind: 'main',
      name: 'nightly',
    });
    expect(attribute({}, { parentage: told }, 'nightly').agent).toEqual({
      kind: 'subagent',
      name: null,
    });
    expect(attribute({ agent: { kind: 'sub', name: 'task' } }, {}, 'nightly').agent).toEqual({
      kind: 'subagent',
      name: 'task',
    });
  });

  it('trusts the header over the environment: a fork in a subagent stays a fork', () => {
    const parentage: Parentage = { parent: null, parentSessionId: 'p', kind: 'child-process' };
    expect(
      attribute({}, { header: header('/s/2026-11-21T21-14-54-608Z_forked.jsonl'), parentage })
        .parentSessionId,
    ).toBe('forked');
  });

  it('takes a fork for a main agent with a parent', () => {
    const parent = '/s/2026-11-21T21-14-54-608Z_01a1fff6.jsonl';
    expect(
      attribute(
        {},
        {
          header: header(parent),
          file: '/s/2026-11-21T22-00-00-000Z_02.jsonl',
          previousFile: parent,
        },
      ),
    ).toMatchObject({
      agent: { kind: 'main', name: null },
      parentSessionId: '01a1fff6',
      previousSessionId: '01a1fff6',
    });
  });

  it('keeps what it knows when the context is dead', () => {
    expect(attribute(deadContext(), { header: header() })).toMatchObject({
      cwd: '/srv/shop',
      mode: 'print',
      agent: { kind: 'main' },
    });
  });
});
