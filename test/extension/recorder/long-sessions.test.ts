/**
 * Long existing sessions: their state is found without walking through all entries during a turn.
 */
import { describe, expect, it } from 'vitest';
import type { Trigger } from '../../../extension/live/triggers.ts';
import {
  answer,
  append,
  contextOf,
  type FakeSession,
  newSession,
  toolCall,
  userSays,
} from '../support/fake-session.ts';
import { newMachine, startProcess } from '../support/ledger-machine.ts';

const entryCount = 5_000;

/** The model is set at the top, as pi writes it. */
function longSession(machine: { nowMs: number }): FakeSession {
  const session = newSession('s1', machine.nowMs - 86_400_000);
  append(session, 'm', machine.nowMs - 86_000_000, {
    type: 'model_change',
    provider: 'anthropic',
    modelId: 'claude',
  });
  append(session, 't', machine.nowMs - 86_000_000, {
    type: 'thinking_level_change',
    thinkingLevel: 'high',
  });
  for (let index = 0; index < entryCount; index += 1)
    append(
      session,
      `e${index}`,
      machine.nowMs - 80_000_000 + index,
      index % 9 === 0 ? userSays() : answer(`r${index}`),
    );
  return session;
}

function open() {
  const machine = newMachine();
  const process = startProcess(machine);
  const session = longSession(machine);
  const byId = new Map(session.entries.map((entry) => [entry.id, entry]));
  let asked = 0;
  const { sessionManager, ...ctx } = contextOf(session) as unknown as { sessionManager: object };
  const getEntry = (id: string) => {
    asked += 1;
    return byId.get(id) ?? session.entries.find((entry) => entry.id === id);
  };
  const attachment = { sessionId: null };
  const fire = (trigger: Trigger, event: unknown = {}) => {
    asked = 0;
    process.recorder.handle(
      trigger,
      event,
      { ...ctx, sessionManager: { ...sessionManager, getEntry } },
      attachment,
    );
    return asked;
  };
  const turns = () =>
    machine
      .events()
      .flatMap(({ type, data }) =>
        type === 'pi.turn.completed.v1' ? [(data as { thinkingLevel: unknown }).thinkingLevel] : [],
      );
  return { machine, session, fire, turns };
}

describe('a long session that is resumed', () => {
  it('is looked through when it starts, so that its first tool waits for nothing', () => {
    const { machine, session, fire, turns } = open();
    expect(fire('session_start', { reason: 'resume' })).toBeGreaterThan(entryCount);
    append(session, 'prompt', machine.nowMs, userSays());
    append(session, 'turn', machine.nowMs, answer('now', { content: [toolCall('c1', 'bash')] }));
    expect(fire('tool_execution_start', { toolCallId: 'c1', toolName: 'bash' })).toBeLessThan(10);
    expect(turns()).toEqual(['high']);
  });

  it('is looked through again when it has moved in its tree, not by the turn that follows', () => {
    const { machine, session, fire, turns } = open();
    fire('session_start', { reason: 'resume' });
    session.leafId = `e${entryCount - 500}`;
    expect(fire('session_tree')).toBeGreaterThan(entryCount - 600);
    append(session, 'turn', machine.nowMs, answer('now'));
    expect(fire('turn_end')).toBeLessThan(10);
    expect(turns()).toEqual(['high']);
  });

  it('stands at the root above an entry that cannot be read, as for the importer', () => {
    const { machine, session, fire, turns } = open();
    const broken = session.entries[entryCount / 2];
    if (broken !== undefined) broken.timestamp = null;
    fire('session_start', { reason: 'resume' });
    append(session, 'turn', machine.nowMs, answer('now'));
    fire('turn_end');
    expect(turns()).toEqual([null]);
  });
});
