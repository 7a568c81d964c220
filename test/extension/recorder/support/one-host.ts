import type { EventDraft } from '../../../../core/record/draft.ts';
import { readEntry, readHeader } from '../../../../core/record/entry.ts';
import type { SubagentParent } from '../../../../core/record/entry-draft.ts';
import type { Trigger } from '../../../../extension/live/triggers.ts';
import type { RecorderOptions } from '../../../../extension/recorder.ts';
import {
  append,
  contextOf,
  type FakeSession,
  newSession,
  usage,
} from '../../support/fake-session.ts';
import { newMachine, startProcess } from '../../support/ledger-machine.ts';
import { eventsOf } from '../../support/sessions.ts';

/** One process with any number of sessions. */
export function startHost(options: Partial<RecorderOptions> = {}) {
  const machine = newMachine();
  const process = startProcess(machine, options);
  let ids = 0;
  const fire = (session: FakeSession, trigger: Trigger, event: unknown = {}) =>
    process.recorder.handle(trigger, event, contextOf(session), { sessionId: null });
  const begin = (
    id: string,
    where: { file?: string; hasFile?: boolean; parentSession?: string; agent?: string } = {},
  ) => {
    machine.nowMs += 10;
    const session = newSession(id, machine.nowMs, where);
    if (where.agent !== undefined) add(session, { type: 'session_init', agent: where.agent });
    fire(session, 'session_start');
    return session;
  };
  const add = (session: FakeSession, body: Record<string, unknown>) => {
    ids += 1;
    machine.nowMs += 10;
    append(session, `e${ids}`, machine.nowMs, body);
    return `e${ids}`;
  };
  const told = (type: EventDraft['type']) =>
    machine.events().filter((event) => event.type === type);
  return { machine, process, fire, begin, add, told };
}

export const root = '/s/2026-11-21T21-14-54-608Z_root';
export const task = (id: string) => ({
  results: [{ index: 0, id, agent: 'task', usage: usage(100) }],
});

/** The events that an importer creates from the same session's file. */
export function imported(
  session: FakeSession,
  parent: SubagentParent | null,
): readonly EventDraft[] {
  const header = readHeader(session.header);
  if (header === null) throw new Error('no header');
  return eventsOf(
    header,
    session.entries.map(readEntry).filter((entry) => entry !== null),
    parent,
  );
}

/** Entry events only, without what a subagent says of itself when it begins; ordered by id. */
export function entryEvents(events: readonly EventDraft[]): readonly unknown[] {
  const isEntry = ({ id, type, data }: EventDraft) =>
    id[14] === '8' &&
    type !== 'pi.session.started.v1' &&
    (type !== 'pi.subagent.linked.v1' || data.entryId !== null);
  const plain = JSON.parse(JSON.stringify(events.filter(isEntry))) as EventDraft[];
  return plain.sort((left, right) => left.id.localeCompare(right.id));
}
