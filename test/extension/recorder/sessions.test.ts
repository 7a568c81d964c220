import { describe, expect, it } from 'vitest';
import {
  answer,
  append,
  contextOf,
  type FakeSession,
  newSession,
  usage,
  userSays,
} from '../support/fake-session.ts';
import { newMachine, startProcess } from '../support/ledger-machine.ts';

function fill(session: FakeSession, count: number, fromMs: number): void {
  for (let index = 0; index < count; index += 1) {
    append(
      session,
      `${session.id}-${session.entries.length}`,
      fromMs + index,
      index % 10 === 0 ? userSays() : answer(`r${index}`),
    );
  }
}

function open(session: FakeSession, machine = newMachine(), event: unknown = {}) {
  machine.nowMs += 10_000;
  const process = startProcess(machine);
  const attachment = { sessionId: null };
  const fire = (trigger: Parameters<typeof process.recorder.handle>[0], what: unknown = {}) =>
    process.recorder.handle(trigger, what, contextOf(session), attachment);
  fire('session_start', event);
  return { machine, process, fire };
}

const turns = (machine: ReturnType<typeof newMachine>) =>
  machine.events().filter(({ type }) => type === 'pi.turn.completed.v1');

describe('a session from before the extension was installed', () => {
  it('is left to the importer up to here, and recorded from here on', () => {
    const session = newSession('old', 1_000);
    fill(session, 50, 2_000);
    const { machine, fire } = open(session);
    expect(machine.events().map(({ type }) => type)).toEqual(['pi.session.attributed.v1']);
    expect(machine.marks.get('old')).toEqual({
      entryId: 'old-49',
      timestamp: session.entries[49]?.timestamp,
    });
    append(session, 'new', machine.nowMs, answer('n', { usage: usage(5) }));
    fire('turn_end');
    expect(turns(machine)).toMatchObject([
      { data: { entryId: 'new', promptEntryId: 'old-40', turnIndex: 9 } },
    ]);
  });
});

describe('a session that is resumed', () => {
  it('has entries after its mark recorded in slices, off the host’s path', () => {
    const session = newSession('big', 1_000);
    fill(session, 700, 2_000);
    const machine = newMachine();
    machine.marks.set('big', { entryId: 'big-99', timestamp: null });
    const { process, fire } = open(session, machine);
    expect(turns(machine)).toHaveLength(0);
    process.idle(1);
    expect(machine.events()).toHaveLength(1 + 200);
    append(session, 'live', machine.nowMs, answer('live'));
    fire('turn_end');
    expect(machine.events().at(-2)).toMatchObject({ data: { entryId: 'live' } });
    fire('agent_settled');
    expect(machine.marks.get('big')?.entryId).toBe('big-99');
    process.idle();
    fire('agent_settled');
    expect(machine.marks.get('big')?.entryId).toBe('live');
    expect(new Set(machine.events().map(({ id }) => id)).size).toBe(machine.events().length);
    expect(turns(machine)).toHaveLength(540 + 1);
  });

  it('is recorded as a whole when its mark names an entry that is gone', () => {
    const session = newSession('cut', 1_000);
    fill(session, 20, 2_000);
    const machine = newMachine();
    machine.marks.set('cut', { entryId: 'taken-back', timestamp: null });
    open(session, machine);
    expect(turns(machine)).toHaveLength(18);
  });

  it('hands over what is left of its backlog when it ends, for a bounded time', () => {
    const session = newSession('big', 1_000);
    fill(session, 700, 2_000);
    const machine = newMachine();
    machine.marks.set('big', { entryId: null, timestamp: null });
    const { fire } = open(session, machine);
    fire('session_shutdown', { reason: 'quit' });
    expect(turns(machine)).toHaveLength(630);
    expect(machine.marks.get('big')?.entryId).toBe('big-699');
  });
});

describe('a spool that refuses', () => {
  it('is offered the entries again after a successful append, and the mark waits for them', () => {
    const machine = newMachine();
    const session = newSession('s', machine.nowMs + 10_100);
    const { process, fire } = open(session, machine);
    machine.isFull = true;
    fill(session, 10, machine.nowMs + 200);
    fire('turn_end');
    fire('agent_settled');
    process.idle();
    expect(turns(machine)).toHaveLength(0);
    expect(process.drops.spoolFull).toBeGreaterThanOrEqual(10);
    const refusedOnce = process.drops.spoolFull;
    fire('turn_end');
    process.idle();
    expect(process.drops.spoolFull).toBe(refusedOnce);
    expect(machine.marks.get('s')?.entryId).toBeNull();
    machine.isFull = false;
    fill(session, 1, machine.nowMs + 900);
    fire('turn_end');
    process.idle();
    expect(turns(machine)).toHaveLength(9);
    fire('agent_settled');
    expect(machine.marks.get('s')?.entryId).toBe('s-10');
  });

  it('still wakes the shipper: making room is its work', () => {
    const machine = newMachine();
    const { process, fire } = open(newSession('s', machine.nowMs + 10_100), machine);
    const wakes = process.wakes();
    machine.isFull = true;
    fire('session_shutdown', {});
    expect(process.wakes()).toBe(wakes + 1);
  });
});

describe('a session in memory only', () => {
  it('is recorded and leaves no mark', () => {
    const machine = newMachine();
    const session = newSession('m', machine.nowMs + 10_100, { hasFile: false });
    const { fire } = open(session, machine);
    fill(session, 10, machine.nowMs + 200);
    fire('agent_settled');
    expect(turns(machine)).toHaveLength(9);
    expect(machine.marks.size).toBe(0);
  });
});

describe('several sessions in one process', () => {
  it('stay apart while they take turns, as in omp with its subagents', () => {
    const machine = newMachine();
    const { recorder } = startProcess(machine);
    const [main, sub] = [
      newSession('main', machine.nowMs + 1),
      newSession('sub', machine.nowMs + 2),
    ];
    const attachments = new Map([main, sub].map((session) => [session, { sessionId: null }]));
    for (let round = 0; round < 20; round += 1) {
      for (const [session, attachment] of attachments) {
        fill(session, 1 + (round % 3), machine.nowMs + 100 + round);
        recorder.handle(
          round % 4 === 0 ? 'agent_settled' : 'turn_end',
          {},
          contextOf(session),
          attachment,
        );
      }
    }
    for (const session of [main, sub]) {
      const recorded = machine
        .events()
        .flatMap(({ subject, data }) =>
          subject === session.id && 'entryId' in data && 'sizes' in data ? [data.entryId] : [],
        );
      expect(recorded).toEqual(session.entries.map(({ id }) => id));
    }
  });

  it('are forgotten beyond 64, and resume from their marks', () => {
    const machine = newMachine();
    const { recorder } = startProcess(machine);
    const sessions = Array.from({ length: 80 }, (_, index) =>
      newSession(`s${index}`, machine.nowMs + index),
    );
    for (let round = 0; round < 3; round += 1) {
      for (const session of sessions) {
        fill(session, 3, machine.nowMs + 1_000 + round * 10);
        recorder.handle('agent_settled', {}, contextOf(session), { sessionId: null });
      }
    }
    expect(recorder.sessions()).toHaveLength(64);
    const ids = machine.events().flatMap(({ id, data }) => ('sizes' in data ? [id] : []));
    expect(new Set(ids).size).toBe(80 * 9);
    expect(ids).toHaveLength(80 * 9);
  });
});
