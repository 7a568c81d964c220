/** A session whose recording is paused, hook by hook. */
import { describe, expect, it } from 'vitest';
import { systemObserver } from '../../../core/spool/liveness.ts';
import { readOwner } from '../../../core/spool/owner.ts';
import { createAnnouncer, isPrivateProcess } from '../../../extension/live/process-parent.ts';
import type { Attachment } from '../../../extension/recorder.ts';
import {
  answer,
  append,
  contextOf,
  type FakeSession,
  newSession,
  userSays,
} from '../support/fake-session.ts';
import { newMachine, startProcess } from '../support/ledger-machine.ts';
import { root } from './support/one-host.ts';
import { privateHost } from './support/private-host.ts';

const self = readOwner();
const observer = systemObserver(self);

const attach = (session: FakeSession): Attachment => ({
  sessionId: null,
  writeMark(data) {
    const body = { type: 'custom', customType: 'pi-ledger.recording', data };
    append(session, `m${session.entries.length}`, Date.UTC(2026, 0, 1), body);
    return true;
  },
});

describe('a paused session', () => {
  it('says that it was paused and how many entries were private, and nothing else', () => {
    const host = privateHost();
    host.talk();
    const before = host.events().length;
    expect(host.turn('paused')).toBe(true);
    host.talk();
    for (const trigger of ['input', 'after_provider_response', 'model_select'] as const)
      host.fire(trigger, { status: 200, headers: { 'x-request-id': 'secret' } });
    host.fire('session_shutdown', { reason: 'quit' });
    host.fire('session_start', { reason: 'resume' });
    expect(host.turn('resumed')).toBe(true);
    expect(
      host
        .events()
        .slice(before)
        .map(({ type, data }) => [type, data]),
    ).toEqual([
      ['pi.recording.switched.v1', { entryId: 'e5', state: 'paused', entries: null }],
      ['pi.recording.switched.v1', { entryId: 'e10', state: 'resumed', entries: 4 }],
    ]);
    host.talk();
    expect(host.events().filter(({ type }) => type === 'pi.run.completed.v1')).toHaveLength(2);
  });

  it('goes on unpaused where the host writes no entry', () => {
    const machine = newMachine();
    const { recorder } = startProcess(machine);
    const session = newSession('s', machine.nowMs + 10);
    const context = contextOf(session);
    recorder.handle('session_start', {}, context, { sessionId: null });
    for (const writeMark of [null, () => false, () => true])
      expect(recorder.switchTo('paused', context, { sessionId: null, writeMark })).toBe(false);
    append(session, 'e1', machine.nowMs + 20, answer('r1'));
    recorder.handle('turn_end', {}, context, { sessionId: null });
    expect(machine.events().some(({ type }) => type === 'pi.turn.completed.v1')).toBe(true);
  });

  it('has private subagents: those at work, and those that begin', () => {
    const machine = newMachine();
    const { recorder } = startProcess(machine);
    const start = (id: string, file: string) => {
      machine.nowMs += 10;
      const session = newSession(id, machine.nowMs, { file });
      const attachment = attach(session);
      recorder.handle('session_start', {}, contextOf(session), attachment);
      return { session, attachment };
    };
    const parent = start('root', `${root}.jsonl`);
    const early = start('early', `${root}/Early.jsonl`);
    recorder.switchTo('paused', contextOf(parent.session), parent.attachment);
    const late = start('late', `${root}/Late.jsonl`);
    for (const { session, attachment } of [early, late]) {
      append(session, `${session.id}-u`, machine.nowMs, userSays());
      append(session, `${session.id}-a`, machine.nowMs, answer('secret'));
      recorder.handle('turn_end', {}, contextOf(session), attachment);
    }
    recorder.switchTo('resumed', contextOf(parent.session), parent.attachment);
    append(late.session, 'late-b', machine.nowMs, answer('secret-2'));
    recorder.handle('turn_end', {}, contextOf(late.session), late.attachment);
    expect(machine.events().filter(({ type }) => type === 'pi.turn.completed.v1')).toEqual([]);
    expect(machine.events().filter(({ subject }) => subject === 'late')).toEqual([]);
    const marks = ({ session }: typeof parent) =>
      session.entries.flatMap(({ customType, data }) =>
        customType === undefined ? [] : [(data as { state: string }).state],
      );
    expect([parent, early, late].map(marks)).toEqual([
      ['paused', 'resumed'],
      ['paused'],
      ['paused'],
    ]);
  });

  it('has private subagents where no entry can be written, and below those that are', () => {
    const machine = newMachine();
    const { recorder } = startProcess(machine);
    const start = (id: string, file: string, writeMark: Attachment['writeMark']) => {
      machine.nowMs += 10;
      const session = newSession(id, machine.nowMs, { file });
      const attachment: Attachment = { sessionId: null, ...(writeMark && { writeMark }) };
      recorder.handle('session_start', {}, contextOf(session), attachment);
      return { session, attachment };
    };
    const session = newSession('root', machine.nowMs + 10, { file: `${root}.jsonl` });
    recorder.handle('session_start', {}, contextOf(session), attach(session));
    const children = [
      start('without', `${root}/Without.jsonl`, null),
      start('refused', `${root}/Refused.jsonl`, () => false),
      start('below', `${root}/Without/Without.Below.jsonl`, null),
    ];
    for (const { session, attachment } of children)
      recorder.handle('before_agent_start', {}, contextOf(session), attachment);
    expect(recorder.switchTo('paused', contextOf(session), attach(session))).toBe(true);
    const before = machine.events().length;
    for (const { session, attachment } of children) {
      append(session, `${session.id}-u`, machine.nowMs, userSays());
      append(session, `${session.id}-a`, machine.nowMs, answer('secret'));
      for (const trigger of ['turn_end', 'agent_end', 'agent_settled'] as const)
        recorder.handle(trigger, {}, contextOf(session), attachment);
    }
    expect(machine.events().slice(before)).toEqual([]);
  });

  it('tells child processes, whose sessions begin paused', () => {
    const environment: Record<string, string | undefined> = {};
    const host = privateHost({ announceParent: createAnnouncer(environment, self) });
    host.turn('paused');
    expect(isPrivateProcess(environment, () => observer)).toBe(true);
    const child = privateHost({ isPrivate: isPrivateProcess(environment, () => observer) });
    child.fire('session_start');
    expect(child.sessions[0]?.entries).toMatchObject([{ data: { state: 'paused' } }]);
    host.turn('resumed');
    expect(isPrivateProcess(environment, () => observer)).toBe(false);
    expect(environment).toEqual({ PI_LEDGER_PARENT: '' });
  });
});
