/** One session with compactions and context samples, driven hook by hook. */
import { expect } from 'vitest';
import type { EventData, EventTypeName } from '../../../contract/index.ts';
import type { HostTools } from '../../../extension/host/prompt.ts';
import type { Trigger } from '../../../extension/live/triggers.ts';
import type { RecorderOptions } from '../../../extension/recorder.ts';
import { answer, append, contextOf, newSession, userSays } from './fake-session.ts';
import { newMachine, startProcess } from './ledger-machine.ts';
import { problemsOf } from './schemas.ts';

export function drive(options: Partial<RecorderOptions> = {}, tools?: HostTools) {
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
