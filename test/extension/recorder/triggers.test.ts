import { describe, expect, it } from 'vitest';
import { listTriggers, triggers } from '../../../extension/live/triggers.ts';
import { drive } from '../support/driven-session.ts';
import { answer, deadContext, toolCall, usage, userSays } from '../support/fake-session.ts';
import { problemsOf } from '../support/schemas.ts';

describe('the triggers', () => {
  it('avoid the hooks that could harm the host', () => {
    for (const hook of ['tool_call', 'context', 'message_update', 'provider_stream_event'])
      expect(triggers).not.toContain(hook);
  });

  it('begin a session with its start, attribution and mark', () => {
    const { machine } = drive();
    expect(machine.events().map(({ type }) => type)).toEqual([
      'pi.session.started.v1',
      'pi.session.attributed.v1',
    ]);
    expect(machine.marks.get('s1')).toEqual({ entryId: null, timestamp: null });
  });

  it('record nothing new when a session starts twice', () => {
    const { machine, fire } = drive();
    fire('session_start');
    expect(machine.events()).toHaveLength(2);
  });

  it('record an answer before the tool that it calls has run', () => {
    const { fire, add, ask } = drive();
    const promptEntryId = ask();
    const turnEntryId = add(answer('r1', { content: [toolCall('c1', 'bash')] }));
    const recorded = fire('tool_execution_start', { toolCallId: 'c1', toolName: 'bash' });
    expect(recorded).toMatchObject([
      { type: 'pi.prompt.submitted.v1', data: { entryId: promptEntryId } },
      { type: 'pi.turn.completed.v1', data: { entryId: turnEntryId, promptEntryId } },
    ]);
  });

  it('time tools by the clock of the host, in whatever order they end', () => {
    const { machine, fire, said } = drive();
    fire('tool_execution_start', { toolCallId: 'c1', toolName: 'bash' });
    machine.nowMs += 5;
    fire('tool_execution_start', { toolCallId: 'c2', toolName: 'read' });
    machine.nowMs += 7;
    fire('tool_execution_end', { toolCallId: 'c2', toolName: 'read', isError: true });
    fire('tool_execution_end', { toolCallId: 'c1', toolName: 'bash', isError: false });
    fire('tool_execution_end', { toolCallId: 'never-started', toolName: 'bash', isError: false });
    expect(said('pi.tool.timed.v1')).toEqual([
      { toolCallId: 'c2', toolName: 'read', isError: true, durationMs: 7 },
      { toolCallId: 'c1', toolName: 'bash', isError: false, durationMs: 12 },
    ]);
  });

  it('forget the oldest of tools that never end', () => {
    const { process, fire } = drive();
    for (let call = 0; call < 2_000; call += 1)
      fire('tool_execution_start', { toolCallId: `c${call}`, toolName: 'bash' });
    expect(process.recorder.sessions()[0]?.toolStarts.size).toBe(512);
  });

  it('sample the context after each answer that reported something, once', () => {
    const { fire, add, ask, said } = drive();
    ask();
    add(answer('r1', { usage: { ...usage(1_000), cacheRead: 400, output: 50 } }));
    fire('turn_end');
    fire('turn_end');
    add(answer('r2', { usage: usage(0), stopReason: 'error' }));
    add(answer('r3', { usage: { input: 0, output: 0 }, stopReason: 'error' }));
    fire('turn_end');
    expect(said('pi.context.sampled.v1')).toEqual([
      {
        entryId: 'e2',
        provider: 'anthropic',
        model: 'claude',
        tokens: 1_450,
        windowTokens: 200_000,
        percent: 0.725,
        source: 'provider',
        autoCompaction: true,
        thresholdTokens: 183_616,
        reserveTokens: 16_384,
        keepRecentTokens: 20_000,
        limitsSource: 'default',
      },
    ]);
  });

  it('record reason and duration of a compaction, and that the context is unknown after it', () => {
    const { machine, fire, add, said } = drive();
    fire('session_before_compact', { reason: 'threshold' });
    machine.nowMs += 900;
    const entryId = add({ type: 'compaction', summary: 'short', tokensBefore: 9_600 });
    fire('session_compact', {
      compactionEntry: { id: entryId },
      reason: 'threshold',
      willRetry: false,
    });
    expect(said('pi.compaction.completed.v1')).toMatchObject([{ entryId, tokensBefore: 9_600 }]);
    expect(said('pi.compaction.timed.v1')).toEqual([
      { entryId, trigger: 'threshold', willRetry: false, durationMs: 910 },
    ]);
    expect(said('pi.context.sampled.v1')).toMatchObject([
      { tokens: null, percent: null, source: 'unknown' },
    ]);
  });

  it('record failed compactions, as pi and as omp report them', () => {
    const { machine, fire, said } = drive();
    fire('session_before_compact', { reason: 'overflow' });
    machine.nowMs += 40;
    fire('session_compact_failed', {
      reason: 'overflow',
      aborted: false,
      willRetry: true,
      errorMessage: 'private words',
    });
    fire('auto_compaction_start', { reason: 'threshold' });
    fire('session_before_compact', {});
    fire('auto_compaction_end', { result: undefined, aborted: true, willRetry: false });
    fire('auto_compaction_end', { result: undefined, aborted: false, skipped: true });
    expect(said('pi.compaction.failed.v1')).toEqual([
      { trigger: 'overflow', aborted: false, willRetry: true, durationMs: 40 },
      { trigger: 'threshold', aborted: true, willRetry: false, durationMs: 0 },
    ]);
    expect(JSON.stringify(machine.events())).not.toContain('private words');
  });

  it('record attribution again when it has changed, and only then', () => {
    const { fire, said } = drive();
    fire('agent_start');
    fire('agent_end');
    expect(said('pi.session.attributed.v1')).toHaveLength(1);
    const plan = {
      model: { provider: 'openai', id: 'gpt', contextWindow: 1 },
      modelRegistry: { isUsingOAuth: () => true },
    };
    fire('model_select', {}, plan);
    fire('turn_end', {}, plan);
    expect(said('pi.session.attributed.v1').map(({ billing }) => billing)).toEqual([
      { anthropic: 'metered' },
      { anthropic: 'metered', openai: 'subscription' },
    ]);
  });

  it('find entries off the leaf’s path when the agent is idle or moves in the tree', () => {
    const { session, fire, add, ask, said } = drive();
    const prompt = ask();
    const lost = add(answer('r1'));
    session.leafId = prompt;
    add(answer('r2'));
    fire('turn_end');
    expect(said('pi.turn.completed.v1')).toHaveLength(1);
    fire('agent_settled');
    expect(said('pi.turn.completed.v1').map(({ entryId }) => entryId)).toEqual(['e3', lost]);
    session.leafId = prompt;
    add(answer('r4'));
    session.leafId = null;
    fire('session_tree');
    expect(said('pi.turn.completed.v1')).toHaveLength(3);
  });

  it('end a session once, with the host’s reason', () => {
    const { machine, fire, said } = drive();
    machine.nowMs += 500;
    fire('session_shutdown', { reason: 'quit' });
    fire('session_shutdown', { reason: 'quit' });
    expect(said('pi.session.ended.v1')).toEqual([{ reason: 'quit', durationMs: 500 }]);
    fire('session_start', { reason: 'resume' });
    machine.nowMs += 20;
    fire('session_shutdown', {});
    expect(said('pi.session.ended.v1')[1]).toEqual({ reason: null, durationMs: 20 });
  });

  it('report dropped events when their number has grown', () => {
    const { machine, fire, add, said } = drive();
    machine.isFull = true;
    add(userSays());
    fire('turn_end');
    machine.isFull = false;
    fire('agent_settled');
    fire('agent_settled');
    expect(said('pi.producer.reported.v1')).toEqual([
      {
        producerVersion: expect.any(String),
        dropped: { spoolFull: 1, spoolUnwritable: 0, eventTooLarge: 0, recordFailed: 0 },
        spoolBytes: 0,
      },
    ]);
  });

  it('make only valid events, whatever the payload and the context', () => {
    const { machine, process, fire, add, attachment } = drive();
    add(answer('r1', { content: [toolCall('c1', 'bash')] }));
    const payloads = [
      undefined,
      null,
      7,
      'x',
      [],
      {},
      { toolCallId: 'c1' },
      { toolCallId: 7, reason: {}, compactionEntry: [] },
    ];
    for (const trigger of triggers) {
      for (const payload of payloads) {
        fire(trigger, payload, {
          model: { provider: 5, id: null, contextWindow: Number.NaN },
          getContextUsage: () => ({ tokens: -1, contextWindow: 'x' }),
        });
        for (const ctx of [undefined, null, 'x', {}, deadContext()])
          process.recorder.handle(trigger, payload, ctx, attachment);
      }
    }
    expect(machine.events().flatMap(problemsOf)).toEqual([]);
    expect(process.drops.recordFailed).toBe(0);
  });
});

describe('the hooks to listen to', () => {
  it('on omp leaves out what would change how it works', () => {
    const left = (...host: Parameters<typeof listTriggers>) =>
      triggers.filter((trigger) => !listTriggers(...host).includes(trigger));
    const approvals = ['tool_approval_requested', 'tool_approval_resolved'];
    const changing = ['tool_result', 'session_before_compact', 'session_before_tree'];
    const needless = ['turn_start', 'message_start'];
    expect(left('omp', false).sort()).toEqual([...changing, ...needless].sort());
    expect(left('omp', true).sort()).toEqual([...approvals, ...changing, ...needless].sort());
    expect(left('pi', false)).toEqual([
      'session.compacting',
      'auto_retry_start',
      'auto_retry_end',
      ...approvals,
    ]);
  });
});
