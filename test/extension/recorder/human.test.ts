/** Where input came from, and how long the agent waited for its user. */
import { describe, expect, it } from 'vitest';
import { drive } from '../support/driven-session.ts';
import { answer, toolCall } from '../support/fake-session.ts';
import { problemsOf } from '../support/schemas.ts';

const withUi = { hasUI: true };

describe('the recorder', () => {
  it('tells from where something was said and when the agent will hear it, never what', () => {
    const { machine, fire, add, ask, said } = drive();
    fire('input', { text: 'private words', images: ['private words'], source: 'interactive' });
    const promptEntryId = ask();
    const leafEntryId = add(answer('r1', { content: [toolCall('c1', 'bash')] }));
    fire('tool_execution_start', { toolCallId: 'c1', toolName: 'bash' });
    fire('input', { text: 'private words', source: 'rpc', streamingBehavior: 'steer' });
    fire('input', { text: 'private words', source: 'extension', streamingBehavior: 'followUp' });
    fire('input', { text: 'private words', source: 'rpc' }); // pi 0.73 does not report the delivery
    fire('agent_settled');
    fire('input', { text: 'private words', source: 'rpc' });
    expect(said('pi.input.received.v1')).toEqual([
      { source: 'interactive', delivery: 'prompt', leafEntryId: null, promptEntryId: null },
      { source: 'rpc', delivery: 'steer', leafEntryId, promptEntryId },
      { source: 'extension', delivery: 'followUp', leafEntryId, promptEntryId },
      { source: 'rpc', delivery: null, leafEntryId, promptEntryId },
      { source: 'rpc', delivery: 'prompt', leafEntryId, promptEntryId: null },
    ]);
    expect(machine.events().flatMap(problemsOf)).toEqual([]);
    expect(JSON.stringify(machine.events())).not.toContain('private words');
  });

  it('tells how long a dialog stood open', () => {
    const { machine, fire, said } = drive();
    fire('ui_prompt_end', { kind: 'select' });
    fire('ui_prompt_start', { kind: 'confirm', title: 'private words' }, withUi);
    machine.nowMs += 4_000;
    fire('ui_prompt_end', { kind: 'confirm', title: 'private words' }, withUi);
    expect(said('pi.human.waited.v1')).toEqual([
      {
        ...{ kind: 'confirm', toolCallId: null, toolName: null, approved: null, answered: true },
        ...{ turnEntryId: null, promptEntryId: null, durationMs: 4_000 },
      },
    ]);
    expect(JSON.stringify(machine.events())).not.toContain('private words');
  });

  it('records each tool’s wait for approval, in any order of answers, with its turn', () => {
    const { machine, fire, add, ask, said } = drive({ hostName: 'omp', runEnd: 'agent_end' });
    const promptEntryId = ask();
    const turnEntryId = add(
      answer('r1', { content: [toolCall('c1', 'bash'), toolCall('c2', 'edit')] }),
    );
    fire('tool_execution_start', { toolCallId: 'c1', toolName: 'bash' });
    fire(
      'tool_approval_requested',
      { toolCallId: 'c1', toolName: 'bash', reason: 'private words' },
      withUi,
    );
    machine.nowMs += 10;
    fire('tool_approval_requested', { toolCallId: 'c2', toolName: 'edit' }, withUi);
    machine.nowMs += 5;
    fire(
      'tool_approval_resolved',
      { toolCallId: 'c2', approved: false, reason: 'private words' },
      withUi,
    );
    fire('tool_approval_resolved', { toolCallId: 'c1', approved: true }, withUi);
    fire('tool_approval_resolved', { toolCallId: 'c1', approved: true }, withUi);
    const what = { kind: 'approval', answered: true, turnEntryId, promptEntryId };
    expect(said('pi.human.waited.v1')).toEqual([
      { ...what, toolCallId: 'c2', toolName: 'edit', approved: false, durationMs: 5 },
      { ...what, toolCallId: 'c1', toolName: 'bash', approved: true, durationMs: 15 },
    ]);
    expect(machine.events().flatMap(problemsOf)).toEqual([]);
    expect(JSON.stringify(machine.events())).not.toContain('private words');
  });

  it('records no wait if nobody can be asked', () => {
    const { fire, said } = drive({ hostName: 'omp', runEnd: 'agent_end' });
    fire('tool_approval_requested', { toolCallId: 'c1', toolName: 'bash' }, { hasUI: false });
    fire('tool_approval_resolved', { toolCallId: 'c1', approved: false }, { hasUI: false });
    expect(said('pi.human.waited.v1')).toEqual([]);
  });

  it('records an unanswered wait at the session’s end, and forgets the oldest of many', () => {
    const { machine, process, fire, said } = drive();
    fire('ui_prompt_start', { kind: 'input' }, withUi);
    machine.nowMs += 60_000;
    fire('session_shutdown', { reason: 'quit' });
    expect(said('pi.human.waited.v1')).toMatchObject([
      { kind: 'input', answered: false, durationMs: 60_000 },
    ]);
    for (let call = 0; call < 500; call += 1)
      fire('tool_approval_requested', { toolCallId: `c${call}`, toolName: 'bash' }, withUi);
    expect(process.recorder.sessions()[0]?.waits.size).toBe(64);
  });
});
