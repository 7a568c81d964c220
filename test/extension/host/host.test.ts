import { describe, expect, it, vi } from 'vitest';
import {
  asHostApi,
  hasUi,
  notify,
  readAgent,
  readContextUsage,
  readCwd,
  readMode,
  readModel,
  usesOAuth,
} from '../../../extension/host/host.ts';
import { readSession } from '../../../extension/host/session.ts';
import {
  answer,
  append,
  contextOf,
  deadContext,
  newSession,
  userSays,
} from '../support/fake-session.ts';

const accessors = { readSession, readModel, readContextUsage, readCwd, readMode, readAgent, hasUi };

describe('the context', () => {
  it('gives the session with its tree', () => {
    const session = newSession('s', 1_000);
    append(session, 'e1', 2_000, userSays());
    append(session, 'e2', 3_000, answer('r'));
    const host = readSession(contextOf(session));
    expect(host?.id).toBe('s');
    expect(host?.header()).toMatchObject({ id: 's', cwd: '/srv/shop', formatVersion: 3 });
    expect(host?.file()).toContain('_s.jsonl');
    expect(host?.leafId()).toBe('e2');
    expect(host?.entry('e1')).toMatchObject({ id: 'e1', parentId: null, type: 'message' });
    expect(host?.entry('none')).toBeNull();
    const entries = host?.entries();
    expect([
      entries?.length,
      entries?.idAt(1),
      entries?.at(1)?.parentId,
      entries?.at(2),
      entries?.idAt(-1),
    ]).toEqual([2, 'e2', 'e1', undefined, null]);
  });

  it('gives the current model, and whether a plan pays for it', () => {
    const ctx = contextOf(newSession('s', 0), {
      modelRegistry: { isUsingOAuth: (model: { id: string }) => model.id === 'claude' },
    });
    expect(readModel(ctx)).toEqual({
      provider: 'anthropic',
      model: 'claude',
      windowTokens: 200_000,
    });
    expect(usesOAuth(ctx)).toBe(true);
    expect(readModel({ ...ctx, model: undefined })).toBeNull();
    expect(usesOAuth({ ...ctx, modelRegistry: undefined })).toBe(false);
    expect(usesOAuth({ ...ctx, model: undefined })).toBe(false);
  });

  it('gives mode and agent if the host reports them', () => {
    expect(readMode({ mode: 'rpc' })).toBe('rpc');
    expect(readMode({ mode: 'telepathy' })).toBeNull();
    expect(readAgent({ agent: { kind: 'sub', id: 'SubA', name: 'task' } })).toEqual({
      kind: 'subagent',
      name: 'task',
    });
    expect(readAgent({ agent: { kind: 'main', name: 'main' } })).toEqual({
      kind: 'main',
      name: null,
    });
    expect(readAgent({})).toBeNull();
  });

  it('keeps a host’s method on its own object', () => {
    const manager = {
      id: 'me',
      getSessionId: vi.fn(function (this: { id: string }) {
        return this.id;
      }),
    };
    expect(readSession({ sessionManager: manager })?.id).toBe('me');
  });

  it.each(Object.entries(accessors))(
    'makes %s answer with nothing once the session is over, or of another make',
    (_name, accessor) => {
      for (const ctx of [
        deadContext(),
        undefined,
        null,
        7,
        'x',
        [],
        {},
        {
          sessionManager: {
            getSessionId: () => {
              throw new Error('over');
            },
          },
        },
      ]) {
        expect(accessor(ctx)).toBeNull();
      }
    },
  );

  it('makes usesOAuth false once the session is over', () => {
    for (const ctx of [deadContext(), undefined, null, 7, 'x', [], {}])
      expect(usesOAuth(ctx)).toBe(false);
  });

  it('shows a notice where there is an interface', () => {
    const shown: unknown[] = [];
    const ui = { notify: (...args: unknown[]) => void shown.push(args) };
    expect(notify({ hasUI: true, ui }, 'hello', 'warning')).toBe(true);
    expect(shown).toEqual([['hello', 'warning']]);
    expect(notify({ hasUI: true }, 'hello', 'info')).toBe(false);
    expect(notify(deadContext(), 'hello', 'info')).toBe(false);
    expect(
      notify(
        {
          ui: {
            notify: () => {
              throw new Error('stale');
            },
          },
        },
        'hello',
        'info',
      ),
    ).toBe(false);
  });
});

describe('asHostApi', () => {
  it('takes what can register hooks and commands, and nothing else', () => {
    const api = { on: () => undefined, registerCommand: () => undefined };
    expect(asHostApi(api)).toBe(api);
    for (const value of [null, undefined, {}, { on: 1 }, 'pi']) expect(asHostApi(value)).toBeNull();
  });
});
