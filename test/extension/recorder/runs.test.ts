import { describe, expect, it } from 'vitest';
import { drive } from '../support/driven-session.ts';
import { answer, toolCall, toolResult, usage } from '../support/fake-session.ts';

describe('a run', () => {
  it('of pi 1.x ends when the agent has settled, retries included', () => {
    const { machine, fire, add, ask, said } = drive();
    const promptEntryId = ask();
    add(answer('r1', { stopReason: 'error', usage: usage(0) }));
    fire('turn_end');
    fire('agent_end');
    fire('agent_start');
    add(
      answer('r2', {
        content: [
          toolCall('c1', 'edit', { path: 'src/a.ts' }),
          toolCall('c2', 'read', { path: 'b.ts' }),
        ],
        stopReason: 'toolUse',
      }),
    );
    add(toolResult('c1', 'edit'));
    add(toolResult('c2', 'read', true));
    add(answer('r3'));
    fire('agent_end');
    machine.nowMs += 5;
    expect(said('pi.run.completed.v1')).toEqual([]);
    fire('agent_settled');
    expect(said('pi.run.completed.v1')).toEqual([
      {
        promptEntryId,
        turns: 3,
        attempts: 2,
        toolCalls: { edit: 1, read: 1 },
        errors: 2,
        filesModified: ['src/a.ts'],
        durationMs: 65,
        outcome: 'completed',
      },
    ]);
  });

  it('of omp ends with the agent_end that will not continue', () => {
    const { fire, add, ask, said } = drive({ runEnd: 'agent_end' });
    ask();
    add(answer('r1', { stopReason: 'error' }));
    fire('agent_end', { willContinue: true });
    fire('agent_start');
    add(answer('r2'));
    expect(said('pi.run.completed.v1')).toEqual([]);
    fire('agent_end', {});
    expect(said('pi.run.completed.v1')).toMatchObject([{ attempts: 2, outcome: 'completed' }]);
  });

  it('of pi 0.73 ends with the agent; after an error, with a retry or the next prompt', () => {
    const { machine, fire, add, ask, said } = drive({ runEnd: 'unreported' });
    ask();
    add(answer('r1', { stopReason: 'error', usage: usage(0) }));
    fire('agent_end');
    fire('agent_start');
    add(answer('r2'));
    fire('agent_end');
    expect(said('pi.run.completed.v1')).toMatchObject([
      { attempts: 2, errors: 1, outcome: 'completed' },
    ]);
    ask();
    add(answer('r3', { stopReason: 'error', usage: usage(0) }));
    fire('agent_end');
    expect(said('pi.run.completed.v1')).toHaveLength(1);
    machine.nowMs += 60_000;
    ask();
    expect(said('pi.run.completed.v1')[1]).toMatchObject({
      attempts: 1,
      outcome: 'failed',
      durationMs: 20,
    });
    fire('session_shutdown', { reason: 'quit' });
    expect(said('pi.run.completed.v1')).toHaveLength(3);
  });

  it.each([
    ['aborted', 'aborted'],
    ['length', 'length'],
    ['error', 'failed'],
    ['toolUse', 'completed'],
  ])('that stopped with %s was %s', (stopReason, outcome) => {
    const { fire, add, ask, said } = drive();
    ask();
    add(answer('r1', { stopReason }));
    fire('agent_settled');
    expect(said('pi.run.completed.v1')).toMatchObject([{ outcome }]);
  });

  it('without an answer has failed, or was aborted where the host says so', () => {
    const { fire, ask, said } = drive();
    ask();
    fire('agent_settled');
    ask();
    fire('agent_settled', { aborted: true });
    expect(said('pi.run.completed.v1').map(({ outcome }) => outcome)).toEqual([
      'failed',
      'aborted',
    ]);
  });
});
