/** One session in one process of a host, driven hook by hook. */
import { expect } from 'vitest';
import type { EventData, EventTypeName } from '../../../contract/index.ts';
import type { Trigger } from '../../../extension/live/triggers.ts';
import type { RecorderOptions } from '../../../extension/recorder.ts';
import { append, contextOf, newSession, userSays } from './fake-session.ts';
import { newMachine, startProcess } from './ledger-machine.ts';

export function drive(options: Partial<RecorderOptions> = {}) {
  const machine = newMachine();
  const process = startProcess(machine, options);
  const session = newSession('s1', machine.nowMs + 10);
  const attachment = { sessionId: null };
  let ids = 0;
  const fire = (trigger: Trigger, event: unknown = {}, overrides: Record<string, unknown> = {}) => {
    const before = machine.appends.length;
    process.recorder.handle(trigger, event, contextOf(session, overrides), attachment);
    expect(machine.appends.length - before).toBeLessThanOrEqual(1);
    return machine.appends.slice(before).flat();
  };
  const add = (body: Record<string, unknown>) => {
    ids += 1;
    machine.nowMs += 10;
    append(session, `e${ids}`, machine.nowMs, body);
    return `e${ids}`;
  };
  const said = <Name extends EventTypeName>(type: Name): readonly EventData<Name>[] =>
    machine
      .events()
      .flatMap((event) => (event.type === type ? [event.data as EventData<Name>] : []));
  const ask = () => {
    fire('before_agent_start');
    fire('agent_start');
    return add(userSays());
  };
  machine.nowMs += 20;
  fire('session_start', { reason: 'startup' });
  return { machine, process, session, attachment, fire, add, said, ask };
}
