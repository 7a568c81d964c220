/**
 * Compactions and what context samples say beside the figures, driven by hand. What the hosts'
 * hooks are like stands in the recordings.
 */
import { describe, expect, it } from 'vitest';
import type { EventData, EventTypeName } from '../../../contract/index.ts';
import { defaultSettings } from '../../../extension/host/limits.ts';
import { type HostTools, toolsOf } from '../../../extension/host/prompt.ts';
import type { Trigger } from '../../../extension/live/triggers.ts';
import type { RecorderOptions } from '../../../extension/recorder.ts';
import { answer, append, contextOf, newSession, userSays } from '../support/fake-session.ts';
import { newMachine, startProcess } from '../support/ledger-machine.ts';
import { problemsOf } from '../support/schemas.ts';

function drive(options: Partial<RecorderOptions> = {}, tools?: HostTools) {
  const machine = newMachine();
  const process = startProcess(machine, options);
  const session = newSession('s1', machine.nowMs + 10);
  const attachment = { sessionId: null, ...(tools && { tools }) };
  let ids = 0;
  const fire = (trigger: Trigger, event: unknown = {}, overrides: Record<string, unknown> = {}) =>
    process.recorder.handle(trigger, event, contextOf(session, overrides), attachment);
  const add = (body: Record<string, unknown>) => {
    ids += 1;
    machine.nowMs += 10;
    append(session, `e${ids}`, machine.nowMs, body);
    return `e${ids}`;
  };
  const turn = (overrides: Record<string, unknown> = {}) => {
    fire('agent_start', {}, overrides);
    add(userSays());
    add(answer(`r${ids}`));
    fire('turn_end', {}, overrides);
  };
  const said = <Name extends EventTypeName>(type: Name): readonly EventData<Name>[] => {
    const events = machine.events();
    expect(events.flatMap(problemsOf)).toEqual([]);
    return events.flatMap((event) => (event.type === type ? [event.data as EventData<Name>] : []));
  };
  const compact = (event: Record<string, unknown> = {}) => {
    machine.nowMs += 900;
    const entryId = add({ type: 'compaction', summary: 'short', tokensBefore: 9_600 });
    fire('session_compact', { compactionEntry: { id: entryId }, ...event });
  };
  machine.nowMs += 20;
  fire('session_start', { reason: 'startup' });
  return { machine, fire, turn, said, compact };
}

describe('a compaction', () => {
  it('tells how long its instructions were and who made the summary, and no word of them', () => {
    const { machine, fire, said, compact } = drive();
    fire('session_before_compact', {
      reason: 'manual',
      customInstructions: 'keep the secret plan',
    });
    compact({ reason: 'manual', willRetry: false, fromExtension: true });
    expect(said('pi.compaction.timed.v1')).toMatchObject([
      { trigger: 'manual', instructionsChars: 20, fromExtension: true, durationMs: 910 },
    ]);
    expect(JSON.stringify(machine.events())).not.toContain('secret plan');
  });

  it('is tied to the entry just made, even if the host names an earlier, equal one', () => {
    const { fire, said, compact } = drive();
    compact({ reason: 'threshold' });
    compact({ reason: 'threshold', compactionEntry: { id: 'e1' } });
    fire('session_shutdown', { reason: 'quit' });
    expect(said('pi.compaction.timed.v1').map(({ entryId }) => entryId)).toEqual(['e1', 'e2']);
  });

  it('had none where the host says so, and leaves it open where the host says nothing', () => {
    const { fire, said, compact } = drive();
    fire('session_before_compact', { customInstructions: undefined });
    compact();
    compact();
    const [first, second] = said('pi.compaction.timed.v1');
    expect(first).toMatchObject({ trigger: null, instructionsChars: 0 });
    expect(second).not.toHaveProperty('instructionsChars');
    expect(second).toMatchObject({ durationMs: null });
  });

  it('that failed tells the same', () => {
    const { fire, said } = drive();
    fire('session_before_compact', { reason: 'manual', customInstructions: 'four' });
    fire('session_compact_failed', {
      reason: 'manual',
      aborted: true,
      willRetry: false,
      fromExtension: false,
      errorMessage: 'x',
    });
    expect(said('pi.compaction.failed.v1')).toEqual([
      {
        trigger: 'manual',
        aborted: true,
        willRetry: false,
        durationMs: 0,
        instructionsChars: 4,
        fromExtension: false,
      },
    ]);
  });

  it('of pi 0.73 counts as failed, at its start, if it has not ended by the next prompt', () => {
    const { machine, fire, said, compact } = drive({ runEnd: 'unsaid' });
    const startedMs = machine.nowMs;
    fire('session_before_compact', { customInstructions: undefined });
    machine.nowMs += 5_000;
    fire('before_agent_start');
    fire('before_agent_start');
    expect(said('pi.compaction.failed.v1')).toEqual([
      { trigger: null, aborted: false, willRetry: null, durationMs: null, instructionsChars: 0 },
    ]);
    expect(machine.events().find(({ type }) => type === 'pi.compaction.failed.v1')?.time).toBe(
      new Date(startedMs).toISOString(),
    );
    fire('session_before_compact', {});
    compact();
    fire('before_agent_start');
    expect(said('pi.compaction.failed.v1')).toHaveLength(1);
  });

  it('that goes on when the session ends has failed', () => {
    const { fire, said } = drive();
    fire('session_before_compact', { reason: 'threshold' });
    fire('before_agent_start');
    expect(said('pi.compaction.failed.v1')).toEqual([]);
    fire('session_shutdown', { reason: 'quit' });
    expect(said('pi.compaction.failed.v1')).toMatchObject([
      { trigger: 'threshold', durationMs: null },
    ]);
  });
});

describe('a compaction of omp', () => {
  const omp = { hostName: 'omp', runEnd: 'agent_end' } as const;

  it('by itself has the trigger that was said before, and lasts from there', () => {
    const { machine, fire, said, compact } = drive(omp);
    fire('auto_compaction_start', { reason: 'threshold', action: 'context-full' });
    machine.nowMs += 100;
    fire('session.compacting', { sessionId: 's1', messages: [] });
    compact({ fromExtension: false });
    compact({ fromExtension: false });
    fire('auto_compaction_end', { result: {}, aborted: false, willRetry: false });
    expect(said('pi.compaction.timed.v1')).toMatchObject([
      { trigger: 'threshold', durationMs: 1_010, instructionsChars: 0 },
      { trigger: 'threshold', durationMs: null },
    ]);
  });

  it('that the user asked for is manual, and lasts from the summary on', () => {
    const { fire, said, compact } = drive(omp);
    fire('auto_compaction_start', { reason: 'idle' });
    fire('auto_compaction_end', { result: undefined, skipped: true, aborted: false });
    fire('session.compacting', {});
    compact();
    expect(said('pi.compaction.timed.v1')).toMatchObject([{ trigger: 'manual', durationMs: 910 }]);
    expect(said('pi.compaction.timed.v1')[0]).not.toHaveProperty('instructionsChars');
  });

  it('prepared in the background and never made is no failure', () => {
    const { fire, said } = drive(omp);
    fire('session.compacting', {});
    fire('session_shutdown', {});
    expect(said('pi.compaction.failed.v1')).toEqual([]);
  });
});

describe('a context sample', () => {
  const tool = (name: string) => ({
    name,
    description: 'does it',
    parameters: { type: 'object' },
    sourceInfo: { path: '/home/ada/x' },
  });
  function toolbox() {
    const active = ['read', 'bash'];
    const pi = {
      getActiveTools: () => active,
      getAllTools: () => [tool('read'), tool('bash'), tool('write')],
    };
    return { active, tools: toolsOf(pi) };
  }
  const prompt = { getSystemPrompt: () => 'x'.repeat(300) };

  it('tells limits, prompt and tools with the first and then when they change', () => {
    const { active, tools } = toolbox();
    const { turn, said } = drive({ runEnd: 'unsaid' }, tools);
    turn(prompt);
    turn(prompt);
    active.push('write');
    turn(prompt);
    turn({ getSystemPrompt: () => ['x'.repeat(100), 'y'.repeat(7)] });
    turn({ ...prompt, model: { provider: 'anthropic', id: 'small', contextWindow: 50_000 } });
    const [first, second, third, fourth, fifth] = said('pi.context.sampled.v1');
    expect(first).toMatchObject({
      thresholdTokens: 183_616,
      limitsSource: 'default',
      systemPromptChars: 300,
      tools: 2,
    });
    expect(first?.toolDefinitionChars).toBe(
      JSON.stringify([tool('read'), tool('bash')].map(({ sourceInfo: _, ...rest }) => rest)).length,
    );
    expect(Object.keys(second ?? {})).toEqual([
      'entryId',
      'provider',
      'model',
      'tokens',
      'windowTokens',
      'percent',
      'source',
    ]);
    expect(third).toMatchObject({ tools: 3, systemPromptChars: 300 });
    expect(third).not.toHaveProperty('thresholdTokens');
    expect(third?.toolSetHash).not.toBe(first?.toolSetHash);
    expect(fourth).toMatchObject({ systemPromptChars: 107, toolSetHash: third?.toolSetHash });
    expect(fifth).toMatchObject({ thresholdTokens: 33_616, systemPromptChars: 300 });
  });

  it('asks a host for its prompt once that has to put it together', () => {
    let asked = 0;
    const getSystemPrompt = () => {
      asked += 1;
      return 'x'.repeat(300);
    };
    const { turn, said } = drive();
    turn({ getSystemPrompt });
    turn({ getSystemPrompt });
    expect(asked).toBe(1);
    expect(said('pi.context.sampled.v1').map(({ systemPromptChars }) => systemPromptChars)).toEqual(
      [300, undefined],
    );
  });

  it('says again what the spool did not take', () => {
    const { machine, turn, said } = drive();
    machine.isFull = true;
    turn();
    machine.isFull = false;
    turn();
    turn();
    expect(said('pi.context.sampled.v1').map(({ thresholdTokens }) => thresholdTokens)).toEqual([
      183_616,
      undefined,
    ]);
  });

  it('reads settings at session start and for another model, but trusts the host first', () => {
    let reads = 0;
    const settings = {
      isFree: false,
      read: () => {
        reads += 1;
        return { ...defaultSettings, reserveTokens: 2_000, source: 'files' as const };
      },
    };
    const { fire, turn, said, compact } = drive({ settings });
    turn();
    turn();
    expect(reads).toBe(1);
    fire('session_before_compact', {
      reason: 'threshold',
      preparation: { settings: { enabled: true, reserveTokens: 3_000, keepRecentTokens: 5 } },
    });
    compact({ reason: 'threshold', willRetry: false });
    turn();
    turn({ model: { provider: 'anthropic', id: 'small', contextWindow: 50_000 } });
    expect(reads).toBe(2);
    expect(
      said('pi.context.sampled.v1').map(({ reserveTokens, limitsSource }) => [
        reserveTokens,
        limitsSource,
      ]),
    ).toEqual([
      [2_000, 'files'],
      [undefined, undefined],
      [3_000, 'host'],
      [undefined, undefined],
      [2_000, 'files'],
    ]);
  });

  it('of a host that hands its settings out follows them', () => {
    const limits = { reserveTokens: 40_000 };
    const settings = {
      isFree: true,
      read: () => ({ ...defaultSettings, ...limits, source: 'host' as const }),
    };
    const { turn, said } = drive({ hostName: 'omp', runEnd: 'agent_end', settings });
    turn();
    limits.reserveTokens = 50_000;
    turn();
    expect(said('pi.context.sampled.v1').map(({ thresholdTokens }) => thresholdTokens)).toEqual([
      160_000, 150_000,
    ]);
  });

  it('leaves out tools that a host does not tell, or not yet', () => {
    const refuse = () => {
      throw new Error('not initialized');
    };
    const { turn, said } = drive({}, toolsOf({ getActiveTools: refuse }));
    turn({ getSystemPrompt: refuse });
    expect(said('pi.context.sampled.v1')[0]).not.toHaveProperty('tools');
  });

  it("does not measure omp's tools, whose parameters are no plain data", () => {
    const tools = toolsOf({
      pi: {},
      getActiveTools: () => ['read'],
      getAllTools: () => [tool('read')],
    });
    const { turn, said } = drive({ hostName: 'omp' }, tools);
    turn();
    expect(said('pi.context.sampled.v1')[0]).toMatchObject({
      tools: 1,
      toolSetHash: expect.any(String),
    });
    expect(said('pi.context.sampled.v1')[0]).not.toHaveProperty('toolDefinitionChars');
  });
});
