import { describe, expect, it } from 'vitest';
import type { EventDraft } from '../../../core/record/draft.ts';
import { recordsIn } from '../../../extension/live/totals.ts';
import {
  answer,
  newSession,
  toolCall,
  toolResult,
  usage,
  userSays,
} from '../support/fake-session.ts';
import { entryEvents, imported, root, startHost, task } from './support/one-host.ts';

describe('the subagents of omp', () => {
  it('account to their parents in the same process, at every level, like an import', () => {
    const { machine, fire, begin, add, told } = startHost();
    const parent = begin('root', { file: `${root}.jsonl` });
    add(parent, answer('r1', { content: [toolCall('c1', 'task')] }));
    fire(parent, 'tool_execution_start', { toolCallId: 'c1', toolName: 'task' });
    const child = begin('child', {
      file: `${root}/SubA.jsonl`,
      parentSession: `${root}.jsonl`,
      agent: 'task',
    });
    add(child, answer('r2', { content: [toolCall('c2', 'task')] }));
    const grandchild = begin('grandchild', {
      file: `${root}/SubA/SubA.B.jsonl`,
      parentSession: `${root}/SubA.jsonl`,
      agent: 'task',
    });
    add(grandchild, answer('r3'));
    fire(grandchild, 'turn_end');
    add(child, toolResult('c2', 'task', false, task('SubA.B')));
    fire(child, 'turn_end');
    add(parent, toolResult('c1', 'task', false, task('SubA')));
    fire(parent, 'turn_end');
    expect(
      told('pi.subagent.claimed.v1').map(({ subject, data }) => [
        subject,
        (data as { key: string }).key,
      ]),
    ).toEqual([
      ['child', 'agent:SubA.B'],
      ['root', 'agent:SubA'],
    ]);
    expect(
      told('pi.subagent.accounted.v1').map(({ subject, data }) => [
        subject,
        (data as { keys: string[] }).keys,
      ]),
    ).toEqual([
      ['child', ['agent:SubA.B']],
      ['root', ['agent:SubA']],
      ['root', ['agent:SubA.B']],
    ]);
    expect(entryEvents(machine.events())).toEqual(
      entryEvents([
        ...imported(parent, null),
        ...imported(child, { sessionId: 'root', key: 'agent:SubA' }),
        ...imported(grandchild, { sessionId: 'child', key: 'agent:SubA.B' }),
      ]),
    );
  });

  it('of a session without a file are recognised, but neither claimed nor accounted', () => {
    const { fire, begin, add, told, process } = startHost();
    const parent = begin('root', { hasFile: false });
    add(parent, answer('r1'));
    const child = begin('child', { file: '/tmp/omp-task-1/SubA.jsonl', agent: 'task' });
    add(child, answer('r2'));
    fire(child, 'turn_end');
    add(parent, toolResult('c1', 'task', false, task('SubA')));
    fire(parent, 'turn_end');
    expect([...told('pi.subagent.claimed.v1'), ...told('pi.subagent.accounted.v1')]).toEqual([]);
    expect(process.recorder.sessions().find(({ id }) => id === 'child')?.parentage).toEqual({
      parent: null,
      parentSessionId: 'root',
      kind: 'in-process',
    });
  });

  it('are in the glance of /ledger once', () => {
    const { fire, begin, add, process } = startHost();
    const parent = begin('root', { file: `${root}.jsonl` });
    add(parent, answer('r1'));
    const child = begin('child', {
      file: `${root}/SubA.jsonl`,
      parentSession: `${root}.jsonl`,
      agent: 'task',
    });
    add(child, answer('r2'));
    fire(child, 'turn_end');
    add(parent, toolResult('c1', 'task', false, task('SubA')));
    fire(parent, 'turn_end');
    expect(
      process.recorder
        .sessions()
        .map(({ totals }) => [recordsIn(totals.spent), totals.inputTokens]),
    ).toEqual([
      [1, 100],
      [1, 100],
    ]);
  });
});

describe('a subagent in a separate process', () => {
  const parent = { sessionId: 'p', key: 'turn:t1' };

  it('accounts to the turn in its environment, whatever session it opens', () => {
    const { fire, begin, add, told } = startHost({ parent });
    for (const session of [begin('a', { hasFile: false }), begin('b')]) {
      add(session, answer('r'));
      fire(session, 'turn_end');
    }
    expect(told('pi.subagent.accounted.v1')).toMatchObject([
      {
        subject: 'p',
        data: { childSessionId: 'a', keys: ['turn:t1', expect.stringMatching(/^response:/)] },
      },
      { subject: 'p', data: { childSessionId: 'b' } },
    ]);
  });

  it('records the same live as an import that knows its parent, including its own claims', () => {
    const { machine, fire, begin, add } = startHost({ parent });
    const session = begin('a');
    add(session, userSays());
    add(session, answer('r', { content: [toolCall('c1', 'subagent')], timestamp: 1 }));
    const repeated = {
      role: 'assistant',
      responseId: 'x',
      timestamp: 2,
      usage: usage(7),
      provider: 'p',
      model: 'm',
    };
    add(
      session,
      toolResult('c1', 'subagent', false, { results: [{ agent: 'worker', messages: [repeated] }] }),
    );
    add(
      session,
      answer('e', {
        usage: usage(0),
        content: [{ type: 'text', text: 'broken off' }],
        stopReason: 'aborted',
      }),
    );
    add(
      session,
      answer('z', {
        usage: { ...usage(0), output: 0, cacheRead: 0, totalTokens: 0 },
        stopReason: 'error',
      }),
    );
    fire(session, 'agent_settled');
    expect(machine.events().some(({ type }) => type === 'pi.attempt.estimated.v1')).toBe(true);
    expect(entryEvents(machine.events())).toEqual(entryEvents(imported(session, parent)));
  });

  it('tells its own subagents of itself, turn by turn', () => {
    const announced: unknown[] = [];
    const { fire, begin, add } = startHost({
      parent,
      announceParent: (...told) => announced.push(told),
    });
    const session = begin('a');
    const first = add(
      session,
      answer('r1', { content: [toolCall('c1', 'bash'), toolCall('c2', 'bash')] }),
    );
    fire(session, 'tool_execution_start', { toolCallId: 'c1', toolName: 'bash' });
    add(session, toolResult('c1', 'bash'));
    fire(session, 'tool_execution_start', { toolCallId: 'c2', toolName: 'bash' });
    const second = add(session, answer('r2', { content: [toolCall('c3', 'bash')] }));
    fire(session, 'tool_execution_start', { toolCallId: 'c3', toolName: 'bash' });
    expect(announced).toEqual([
      ['a', first],
      ['a', first],
      ['a', second],
    ]);
  });
});

describe('an estimate in a session that was resumed', () => {
  it('is the same as one by an import that has seen all of it', () => {
    const { machine, fire, add } = startHost();
    const session = newSession('old', 1_000);
    for (let turn = 0; turn < 5; turn += 1) {
      for (const body of [
        userSays('and now?'),
        answer(`r${turn}`, { content: [toolCall('c', 'read')] }),
        toolResult('c', 'read'),
      ])
        add(session, body);
    }
    add(session, answer('lost', { usage: {}, stopReason: 'error' }));
    machine.marks.set('old', { entryId: String(session.entries.at(-1)?.id), timestamp: null });
    fire(session, 'session_start');
    const body = answer('lost again', { usage: {}, stopReason: 'error' });
    add(session, userSays('what is it?'));
    const entryId = add(session, body);
    fire(session, 'turn_end');
    const estimates = (events: readonly EventDraft[]) =>
      entryEvents(
        events.filter(
          ({ type, data }) =>
            type === 'pi.attempt.estimated.v1' && 'entryId' in data && data.entryId === entryId,
        ),
      );
    expect(estimates(machine.events())).toHaveLength(1);
    expect(estimates(machine.events())).toEqual(estimates(imported(session, null)));
  });
});
