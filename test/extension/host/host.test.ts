import { readFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import {
  abortedOf,
  agentOf,
  asHostApi,
  beginsSession,
  compactionOf,
  contextUsageOf,
  cwdOf,
  failedAutoCompactionOf,
  hasUi,
  modelOf,
  modeOf,
  notify,
  previousSessionFileOf,
  sessionOf,
  shutdownReasonOf,
  toolExecutionOf,
  usesOAuth,
  willContinueOf,
} from '../../../extension/host/host.ts';
import {
  answer,
  append,
  contextOf,
  deadContext,
  newSession,
  userSays,
} from '../support/fake-session.ts';

interface Recorded {
  readonly hook: string;
  readonly event: Record<string, unknown>;
}

/** Payloads as three hosts sent them. */
function recorded(host: string, hook: string): readonly Record<string, unknown>[] {
  const lines = readFileSync(new URL(`../data/hooks/${host}.jsonl`, import.meta.url), 'utf8')
    .trim()
    .split('\n');
  return lines
    .map((line) => JSON.parse(line) as Recorded)
    .filter((line) => line.hook === hook)
    .map(({ event }) => event);
}

const accessors = { sessionOf, modelOf, contextUsageOf, cwdOf, modeOf, agentOf, hasUi };
const readers = {
  abortedOf,
  beginsSession,
  compactionOf,
  failedAutoCompactionOf,
  previousSessionFileOf,
  shutdownReasonOf,
  toolExecutionOf,
  usesOAuth,
  willContinueOf,
};

describe('the context', () => {
  it('gives the session with its tree', () => {
    const session = newSession('s', 1_000);
    append(session, 'e1', 2_000, userSays());
    append(session, 'e2', 3_000, answer('r'));
    const host = sessionOf(contextOf(session));
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

  it('gives the model that is chosen, and whether it is paid by a plan', () => {
    const ctx = contextOf(newSession('s', 0), {
      modelRegistry: { isUsingOAuth: (model: { id: string }) => model.id === 'claude' },
    });
    expect(modelOf(ctx)).toEqual({ provider: 'anthropic', model: 'claude', windowTokens: 200_000 });
    expect(usesOAuth(ctx)).toBe(true);
    expect(modelOf({ ...ctx, model: undefined })).toBeNull();
    expect(usesOAuth({ ...ctx, modelRegistry: undefined })).toBe(false);
    expect(usesOAuth({ ...ctx, model: undefined })).toBe(false);
  });

  it('gives the mode and the agent where the host tells them', () => {
    expect(modeOf({ mode: 'rpc' })).toBe('rpc');
    expect(modeOf({ mode: 'telepathy' })).toBeNull();
    expect(agentOf({ agent: { kind: 'sub', id: 'SubA', name: 'task' } })).toEqual({
      kind: 'subagent',
      name: 'task',
    });
    expect(agentOf({ agent: { kind: 'main', name: 'main' } })).toEqual({
      kind: 'main',
      name: null,
    });
    expect(agentOf({})).toBeNull();
  });

  it('keeps a host’s method on its own object', () => {
    const manager = {
      id: 'me',
      getSessionId: vi.fn(function (this: { id: string }) {
        return this.id;
      }),
    };
    expect(sessionOf({ sessionManager: manager })?.id).toBe('me');
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

describe('the payloads', () => {
  it.each(['pi073', 'pi15', 'omp18'])('of %s tell of tools', (host) => {
    const ends = recorded(host, 'tool_execution_end');
    expect(ends.length).toBeGreaterThan(0);
    for (const event of ends) {
      expect(toolExecutionOf(event)).toEqual({
        toolCallId: event.toolCallId,
        toolName: event.toolName,
        isError: event.isError,
      });
    }
  });

  it.each(['pi073', 'pi15', 'omp18'])('of %s tell which entry a compaction made', (host) => {
    for (const event of recorded(host, 'session_compact'))
      expect(compactionOf(event).entryId).toMatch(/^[0-9a-f]{8}$/);
  });

  it('of pi 1.x tell why it came', () => {
    expect(recorded('pi15', 'session_compact').map((event) => compactionOf(event).trigger)).toEqual(
      ['threshold', 'overflow', 'manual'],
    );
    expect(
      recorded('pi15', 'session_compact').map((event) => compactionOf(event).willRetry),
    ).toEqual([false, true, false]);
    expect(
      recorded('pi073', 'session_compact').map((event) => compactionOf(event).trigger),
    ).toEqual([null]);
    const told = recorded('pi15', 'session_before_compact').map(
      (event) => compactionOf(event).instructionsChars,
    );
    expect(told).toEqual(expect.arrayContaining(['short'.length]));
    expect(
      recorded('pi15', 'session_compact').map((event) => compactionOf(event).fromExtension),
    ).toEqual([false, false, false]);
  });

  it('of omp tell it beforehand, and whether it failed', () => {
    expect(
      recorded('omp18', 'auto_compaction_start').map((event) => compactionOf(event).trigger),
    ).toEqual(['threshold']);
    expect(recorded('omp18', 'auto_compaction_end').map(failedAutoCompactionOf)).toEqual([null]);
    expect(
      failedAutoCompactionOf({ errorMessage: 'x', aborted: false, willRetry: true }),
    ).toMatchObject({
      aborted: false,
      willRetry: true,
    });
    expect(failedAutoCompactionOf({ skipped: true, errorMessage: 'nothing to do' })).toBeNull();
  });

  it('tell how a session began and ended', () => {
    expect(recorded('pi15', 'session_shutdown').map(shutdownReasonOf)).toEqual(
      expect.arrayContaining(['quit', 'fork', 'new', 'resume']),
    );
    expect(recorded('omp18', 'session_shutdown').map(shutdownReasonOf)).toEqual([null]);
    expect(beginsSession({ type: 'session_start', reason: 'fork' })).toBe(true);
    expect(beginsSession({ type: 'session_switch', reason: 'new' })).toBe(true);
    expect(beginsSession({ type: 'session_branch' })).toBe(true);
    expect(beginsSession({ type: 'session_start', reason: 'resume' })).toBe(false);
    expect(
      recorded('pi15', 'session_start')
        .filter(beginsSession)
        .map(({ reason }) => reason),
    ).toEqual(expect.arrayContaining(['new', 'fork']));
    expect(recorded('pi15', 'session_before_switch').some(beginsSession)).toBe(false);
  });

  it('of omp tell whether the agent goes on', () => {
    expect(recorded('omp18', 'agent_end').some(willContinueOf)).toBe(true);
    expect(recorded('pi073', 'agent_end').some(willContinueOf)).toBe(false);
  });

  it.each(Object.entries(readers))('do not trouble %s, whatever they hold', (_name, reader) => {
    for (const event of [
      undefined,
      null,
      7,
      'x',
      [],
      {},
      { reason: {}, toolCallId: '', compactionEntry: 7, aborted: 'yes' },
    ])
      reader(event);
  });
});

describe('asHostApi', () => {
  it('takes what can register hooks and commands, and nothing else', () => {
    const api = { on: () => undefined, registerCommand: () => undefined };
    expect(asHostApi(api)).toBe(api);
    for (const value of [null, undefined, {}, { on: 1 }, 'pi']) expect(asHostApi(value)).toBeNull();
  });
});
