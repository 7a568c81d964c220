import { describe, expect, it } from 'vitest';
import { triggers } from '../../../extension/live/triggers.ts';
import { drive } from '../support/driven-session.ts';
import { answer, contextOf, deadContext, newSession } from '../support/fake-session.ts';
import { newMachine, startProcess } from '../support/ledger-machine.ts';

describe('a context that is dead', () => {
  it('neither throws nor loses what comes after', () => {
    const { process, attachment, fire, add, said } = drive();
    fire('tool_execution_start', { toolCallId: 'c1', toolName: 'bash' });
    fire('session_shutdown', { reason: 'new' });
    process.recorder.handle(
      'tool_execution_end',
      { toolCallId: 'c1', toolName: 'bash' },
      deadContext(),
      attachment,
    );
    process.recorder.handle('turn_end', {}, deadContext(), attachment);
    expect(said('pi.tool.timed.v1')).toHaveLength(1);
    add(answer('late'));
    fire('turn_end');
    expect(said('pi.turn.completed.v1')).toHaveLength(1);
  });

  it('is ignored if nothing was seen before', () => {
    const machine = newMachine();
    const { recorder, drops } = startProcess(machine);
    for (const trigger of triggers)
      recorder.handle(trigger, {}, deadContext(), { sessionId: null });
    expect(machine.events()).toEqual([]);
    expect(drops.recordFailed).toBe(0);
  });
});

describe('a host that violates its interface', () => {
  it('costs a count and no more', () => {
    const { process, fire, add, said } = drive();
    add(answer('r1'));
    const poison = {
      getEntries: () => [
        {
          id: 'p',
          type: 'message',
          timestamp: '2026-01-01T00:00:00.000Z',
          message: { role: 'user', content: hostile },
        },
      ],
    };
    fire(
      'agent_settled',
      {},
      {
        sessionManager: { ...(contextOf(newSession('s1', 0)).sessionManager as object), ...poison },
      },
    );
    fire('turn_end');
    expect(process.drops.recordFailed).toBe(1);
    expect(said('pi.turn.completed.v1')).toHaveLength(1);
  });
});

/** Cannot be converted to JSON. */
const hostile = [
  {
    get type() {
      throw new Error('no');
    },
  },
];
