/**
 * Sessions that begin in a process beside another one: started by a package's tool, or by a user.
 */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createAttributor } from '../../../extension/attribution/attribution.ts';
import { readFigures } from '../../../extension/live/repeated-spend.ts';
import { recordsIn } from '../../../extension/live/totals.ts';
import type { Trigger } from '../../../extension/live/triggers.ts';
import type { Attachment, RecorderOptions } from '../../../extension/recorder.ts';
import {
  answer,
  append,
  contextOf,
  type FakeSession,
  fileOf,
  fork,
  newSession,
  toolCall,
  toolResult,
  usage,
  userSays,
} from '../support/fake-session.ts';
import { newMachine, startProcess } from '../support/ledger-machine.ts';

const attributor = createAttributor({
  host: { name: 'pi', version: '1.6.0' },
  fallbackMode: 'print',
  homeDirectory: '/home/anna',
  agentName: 'coder',
  utcOffsetMinutes: () => 0,
});

/** A process in which a package may start sessions beside the user's. */
function startHost(options: Partial<RecorderOptions> = {}) {
  const machine = newMachine();
  const process = startProcess(machine, { attributor, ...options });
  const attachments = new Map<string, Attachment>();
  let ids = 0;
  const attach = (session: FakeSession): Attachment => {
    const attachment = attachments.get(session.id) ?? {
      sessionId: null,
      writeMark(data) {
        add(session, { type: 'custom', customType: 'pi-ledger.recording', data });
        return true;
      },
    };
    attachments.set(session.id, attachment);
    return attachment;
  };
  const fire = (session: FakeSession, trigger: Trigger, event: object = {}) =>
    process.recorder.handle(
      trigger,
      { type: trigger, ...event },
      contextOf(session),
      attach(session),
    );
  const add = (session: FakeSession, body: Record<string, unknown>) => {
    ids += 1;
    machine.nowMs += 10;
    append(session, `e${ids}`, machine.nowMs, body);
    return `e${ids}`;
  };
  const begin = (
    id: string,
    where: Parameters<typeof newSession>[2] & { reason?: string } = {},
  ): FakeSession => {
    machine.nowMs += 10;
    const session = newSession(id, machine.nowMs, where);
    fire(session, 'session_start', { reason: where.reason ?? 'startup' });
    return session;
  };
  /** A turn that calls a tool, which runs. Returns the turn's id. */
  const callTool = (session: FakeSession, toolName: string, toolCallId = 'c1') => {
    const turn = add(session, answer(`r${ids}`, { content: [toolCall(toolCallId, toolName)] }));
    fire(session, 'tool_execution_start', { toolCallId, toolName });
    return turn;
  };
  const endTool = (
    session: FakeSession,
    toolName: string,
    more: Record<string, unknown> = {},
    toolCallId = 'c1',
  ) => {
    fire(session, 'tool_execution_end', { toolCallId, toolName });
    const { message } = toolResult(toolCallId, toolName);
    const result = add(session, { type: 'message', message: { ...message, ...more } });
    fire(session, 'turn_end', { toolResults: [{}] });
    return result;
  };
  const answers = (session: FakeSession, responseId: string, input = 100) => {
    add(session, answer(responseId, { usage: usage(input) }));
    fire(session, 'turn_end');
  };
  const pause = (session: FakeSession) =>
    process.recorder.switchTo('paused', contextOf(session), attach(session));
  const resume = (session: FakeSession) =>
    process.recorder.switchTo('resumed', contextOf(session), attach(session));
  const stateOf = ({ id }: FakeSession) =>
    process.recorder.sessions().find((state) => state.id === id);
  const told = (type: string, subject?: string) =>
    machine
      .events()
      .filter((event) => event.type === type && (subject ?? event.subject) === event.subject)
      .map(({ data }) => data as Record<string, unknown>);
  const agentOf = (session: FakeSession) => told('pi.session.attributed.v1', session.id).at(-1);
  return {
    machine,
    process,
    fire,
    add,
    begin,
    callTool,
    endTool,
    answers,
    pause,
    resume,
    stateOf,
    told,
    agentOf,
  };
}

const spentIn = (host: ReturnType<typeof startHost>) =>
  host.process.recorder
    .sessions()
    .map(({ id, totals }) => [id, recordsIn(totals.spent), totals.inputTokens]);

describe('a session that begins while a tool of another runs', () => {
  it('is a subagent of it, of the turn that called the tool', () => {
    const host = startHost();
    const parent = host.begin('root');
    const turn = host.callTool(parent, 'Agent');
    const child = host.begin('child', { hasFile: false });
    host.add(child, { type: 'session_info', name: 'Explore#6bff4f5c' });
    host.add(child, userSays());
    host.fire(child, 'agent_start');
    host.answers(child, 'c');
    expect(host.stateOf(child)?.parentage).toEqual({
      parent: { sessionId: 'root', key: `turn:${turn}` },
      parentSessionId: 'root',
      kind: 'in-process',
    });
    expect(host.agentOf(child)).toMatchObject({
      agent: { kind: 'subagent', name: 'Explore' },
      parentSessionId: 'root',
    });
    expect(host.told('pi.subagent.accounted.v1', 'root')).toMatchObject([
      { childSessionId: 'child', keys: [`turn:${turn}`, expect.stringMatching(/^response:/)] },
    ]);
    expect(host.told('pi.subagent.linked.v1', 'root')).toEqual([
      { entryId: null, childSessionId: 'child', ref: `turn:${turn}`, agentName: null },
    ]);
    expect(host.agentOf(parent)).toMatchObject({ agent: { kind: 'main', name: 'coder' } });
  });

  it('is one of the tool that may have started it, not of a subagent that runs a command', () => {
    const host = startHost();
    const parent = host.begin('root');
    const turn = host.callTool(parent, 'Agent');
    const first = host.begin('first', { hasFile: false });
    host.callTool(first, 'bash', 'c2');
    const second = host.begin('second', { hasFile: false });
    host.endTool(first, 'bash', {}, 'c2');
    const nested = host.callTool(first, 'Agent', 'c3');
    const below = host.begin('below', { hasFile: false });
    expect([first, second, below].map((each) => host.stateOf(each)?.parentage.parent)).toEqual([
      { sessionId: 'root', key: `turn:${turn}` },
      { sessionId: 'root', key: `turn:${turn}` },
      { sessionId: 'first', key: `turn:${nested}` },
    ]);
  });

  it('is one of the session that its header names', () => {
    const host = startHost();
    const parent = host.begin('root');
    const turn = host.callTool(parent, 'Agent');
    const first = host.begin('first', { hasFile: false });
    host.callTool(first, 'Agent', 'c2');
    const second = host.begin('second', { parentSession: fileOf(parent) });
    expect(host.stateOf(second)?.parentage.parent).toEqual({
      sessionId: 'root',
      key: `turn:${turn}`,
    });
  });

  it('is one in the background too, when its header names a session that is open beside it', () => {
    const host = startHost();
    const parent = host.begin('root');
    host.callTool(parent, 'Agent');
    host.endTool(parent, 'Agent');
    const child = host.begin('child', { parentSession: fileOf(parent) });
    host.answers(child, 'c');
    expect(host.stateOf(child)?.parentage).toMatchObject({
      parent: { sessionId: 'root', key: 'session:child' },
      kind: 'in-process',
    });
    expect(host.agentOf(child)).toMatchObject({ agent: { kind: 'subagent', name: null } });
  });

  it('is none without a tool that runs, nor once the tool or its session has ended', () => {
    const host = startHost();
    const parent = host.begin('root');
    const beside = host.begin('beside', { hasFile: false });
    host.callTool(parent, 'Agent');
    host.endTool(parent, 'Agent');
    const after = host.begin('after', { hasFile: false });
    host.callTool(parent, 'Agent', 'c2');
    host.fire(parent, 'session_shutdown', { reason: 'quit' });
    const last = host.begin('last', { hasFile: false });
    for (const session of [beside, after, last])
      expect(host.stateOf(session)?.parentage.kind).toBe('none');
  });

  it('keeps its parent, however many subagents there are', () => {
    const host = startHost();
    const parent = host.begin('root');
    host.callTool(parent, 'swarm');
    for (let child = 0; child < 100; child += 1) host.begin(`c${child}`, { hasFile: false });
    const parentages = host.process.recorder.sessions().map(({ parentage }) => parentage.kind);
    expect(parentages.filter((kind) => kind === 'none')).toHaveLength(1);
    host.fire(parent, 'tool_execution_end', { toolCallId: 'c1', toolName: 'swarm' });
    expect(host.stateOf(parent)?.parentage.kind).toBe('none');
  });
});

describe('a session that a user opens', () => {
  it.each(['new', 'fork', 'resume'])('is no subagent, whatever its header names: %s', (reason) => {
    const host = startHost();
    const parent = host.begin('root');
    host.callTool(parent, 'Agent');
    host.fire(parent, 'session_shutdown', { reason });
    const next = host.begin('next', { parentSession: fileOf(parent), reason });
    host.answers(next, 'n');
    expect(host.stateOf(next)?.parentage).toEqual({
      parent: null,
      parentSessionId: null,
      kind: 'none',
    });
    expect(host.told('pi.subagent.accounted.v1')).toEqual([]);
    expect(host.told('pi.subagent.linked.v1')).toEqual([]);
  });

  it('has the parent that its header names: a fork at the first message', () => {
    const host = startHost();
    const parent = newSession('2026-root', host.machine.nowMs);
    host.fire(parent, 'session_start', { reason: 'startup' });
    host.fire(parent, 'session_shutdown', { reason: 'fork' });
    const copy = host.begin('fork', { parentSession: fileOf(parent), reason: 'fork' });
    host.answers(copy, 'n');
    expect(host.agentOf(copy)).toMatchObject({
      agent: { kind: 'main', name: 'coder' },
      parentSessionId: '2026-root',
    });
  });

  it('is not private because its header names a paused session: /new with a parent', () => {
    const host = startHost();
    const parent = host.begin('2026-root');
    host.pause(parent);
    host.fire(parent, 'session_shutdown', { reason: 'new' });
    const next = host.begin('next', { parentSession: fileOf(parent), reason: 'new' });
    host.answers(next, 'n');
    expect(host.told('pi.turn.completed.v1', 'next')).toHaveLength(1);
    expect(host.agentOf(next)).toMatchObject({
      agent: { kind: 'main' },
      parentSessionId: '2026-root',
    });
  });

  it('stays private as a fork of a paused session, also at the first message', () => {
    const host = startHost();
    const parent = host.begin('root');
    host.pause(parent);
    host.fire(parent, 'session_shutdown', { reason: 'fork' });
    const first = host.begin('first', { parentSession: fileOf(parent), reason: 'fork' });
    const copy = fork(parent, 'copy', host.machine.nowMs + 10);
    host.fire(copy, 'session_start', { reason: 'fork', previousSessionFile: fileOf(parent) });
    for (const session of [first, copy]) host.answers(session, 'secret');
    expect(host.told('pi.turn.completed.v1')).toEqual([]);
  });
});

describe('a session that lies below another one', () => {
  const home = mkdtempSync(join(tmpdir(), 'pi-ledger-placed-'));
  const parentFile = join(home, '2026-11-27T23-33-34-013Z_01a21f5b.jsonl');
  const childFile = join(home, '2026-11-27T23-33-34-013Z_01a21f5b/af8d/run-0/session.jsonl');
  const nestedFile = join(
    home,
    '2026-11-27T23-33-34-013Z_01a21f5b/af8d/run-0/session/4bcf/run-0/session.jsonl',
  );

  it('is its subagent, in a process of its own', () => {
    const host = startHost();
    const child = host.begin('child', { file: childFile });
    host.add(child, { type: 'session_info', name: `subagent-scout-${run}-1` });
    host.fire(child, 'agent_start');
    host.answers(child, 'c');
    expect(host.agentOf(child)).toMatchObject({
      agent: { kind: 'subagent', name: 'scout' },
      parentSessionId: '01a21f5b',
    });
    expect(host.stateOf(child)?.parentage.kind).toBe('child-process');
    expect(host.told('pi.subagent.linked.v1', '01a21f5b')).toMatchObject([
      { childSessionId: 'child', ref: 'file:af8d/run-0/session.jsonl' },
    ]);
    expect(host.told('pi.subagent.accounted.v1', '01a21f5b')).toMatchObject([
      { keys: ['session:child', expect.stringMatching(/^response:/)] },
    ]);
  });

  it('is that of the nearest one, whose header tells its id', () => {
    mkdirSync(dirname(childFile), { recursive: true });
    const header = { type: 'session', version: 3, id: 'named-in-file', timestamp: at };
    writeFileSync(childFile, `{"type":"title"}\n${JSON.stringify(header)}\n{"type":"x"}\n`);
    const host = startHost();
    const nested = host.begin('nested', { file: nestedFile });
    expect(host.stateOf(nested)?.parentage.parent).toEqual({
      sessionId: 'named-in-file',
      key: 'session:nested',
    });
    writeFileSync(childFile, 'damaged');
    const other = startHost().begin('other', { file: nestedFile });
    const again = startHost();
    again.fire(other, 'session_start');
    expect(again.stateOf(other)?.parentage.parent?.sessionId).toBe('01a21f5b');
  });

  it('is in the process of a parent that is open there', () => {
    const host = startHost();
    host.begin('01a21f5b', { file: parentFile });
    const child = host.begin('child', { file: childFile });
    expect(host.stateOf(child)?.parentage.kind).toBe('in-process');
    expect(host.agentOf(child)).toMatchObject({ agent: { kind: 'subagent', name: null } });
  });

  it('keeps the turn that the environment tells, and both names', () => {
    const host = startHost({ parent: { sessionId: '01a21f5b', key: 'turn:t1' } });
    const child = host.begin('child', { file: childFile });
    host.answers(child, 'c');
    expect(host.told('pi.subagent.linked.v1').map(({ ref }) => ref)).toEqual([
      'turn:t1',
      'file:af8d/run-0/session.jsonl',
    ]);
    expect(host.told('pi.subagent.accounted.v1')).toMatchObject([
      { keys: ['turn:t1', expect.anything()] },
    ]);
  });
});

describe('a result that repeats what subagents of this process recorded', () => {
  it('counts once in the sums of /ledger and of run budgets: of the turn', () => {
    const host = startHost();
    const parent = host.begin('root');
    host.callTool(parent, 'Agent');
    const child = host.begin('child', { hasFile: false });
    for (const responseId of ['c1', 'c2']) host.answers(child, responseId);
    host.endTool(parent, 'Agent', { usage: twice });
    expect(spentIn(host)).toEqual([
      ['child', 2, 200],
      ['root', 1, 100],
    ]);
    const day = host.process.recorder.days.of('2026-01-01');
    expect(recordsIn(day)).toBe(3);
  });

  it('counts with what exceeds them', () => {
    const host = startHost();
    const parent = host.begin('root');
    host.callTool(parent, 'Agent');
    host.answers(host.begin('child', { hasFile: false }), 'c1');
    host.endTool(parent, 'Agent', { usage: { ...usage(150), output: 7, cacheRead: 3 } });
    expect(spentIn(host)).toEqual([
      ['child', 1, 100],
      ['root', 2, 150],
    ]);
    const [state] = host.process.recorder.sessions().filter(({ id }) => id === 'root');
    expect(state && readFigures(state.totals).nanoUsd).toBe(150_000n);
    expect(state?.totals.outputTokens).toBe(7);
  });

  it('counts once where it names them, and with those of their own subagents', () => {
    const host = startHost();
    const parent = host.begin('root');
    host.callTool(parent, 'Agent');
    const child = host.begin('child', { hasFile: false });
    host.callTool(child, 'Agent', 'c2');
    host.answers(host.begin('below', { hasFile: false }), 'b1');
    host.endTool(child, 'Agent', {}, 'c2');
    host.endTool(parent, 'Agent', {
      usage: twice,
      details: { results: [{ agent: 'scout', sessionId: 'child' }] },
    });
    expect(spentIn(host).map(([, , input]) => input)).toEqual([100, 100, 100]);
  });

  it('counts whole if no subagent of this process recorded it', () => {
    const host = startHost();
    const parent = host.begin('root');
    host.answers(host.begin('beside', { hasFile: false }), 'b1');
    host.callTool(parent, 'Agent');
    host.endTool(parent, 'Agent', { usage: usage(100) });
    expect(spentIn(host)).toContainEqual(['root', 2, 200]);
  });

  it('is tied to the one in the background whose figures it equals, result by result', () => {
    const host = startHost();
    const parent = host.begin('root');
    host.callTool(parent, 'Agent');
    host.endTool(parent, 'Agent');
    const child = host.begin('child', { parentSession: fileOf(parent) });
    host.answers(child, 'c1', 40);
    host.answers(child, 'c2', 60);
    host.callTool(parent, 'get_subagent_result', 'c2');
    const first = host.endTool(parent, 'get_subagent_result', { usage: twice100 }, 'c2');
    host.answers(child, 'c3', 30);
    host.callTool(parent, 'get_subagent_result', 'c3');
    const second = host.endTool(parent, 'get_subagent_result', { usage: usage(30) }, 'c3');
    host.callTool(parent, 'get_subagent_result', 'c4');
    host.endTool(parent, 'get_subagent_result', { usage: usage(31) }, 'c4');
    expect(
      host.told('pi.subagent.linked.v1', 'root').filter(({ entryId }) => entryId !== null),
    ).toEqual(
      [first, second].map((entryId) => ({
        entryId,
        childSessionId: null,
        ref: 'session:child',
        agentName: null,
      })),
    );
    expect(spentIn(host)).toEqual([
      ['child', 3, 130],
      ['root', 5, 431],
    ]);
  });

  const twice = { ...usage(200), output: 14, cacheRead: 6 };
  const twice100 = { ...usage(100), output: 14, cacheRead: 6 };
});

describe('a subagent of a paused session', () => {
  it('is private if it begins while a tool runs, wherever its file is', () => {
    const host = startHost();
    const parent = host.begin('root');
    host.pause(parent);
    host.callTool(parent, 'Agent');
    const child = host.begin('child', { hasFile: false });
    host.answers(child, 'secret');
    host.callTool(child, 'Agent', 'c2');
    const below = host.begin('below', { hasFile: false });
    host.answers(below, 'secret');
    expect(host.machine.events().filter(({ subject }) => subject !== 'root')).toEqual([]);
    expect(host.told('pi.turn.completed.v1')).toEqual([]);
    expect(child.entries[0]).toMatchObject({ data: { state: 'paused' } });
  });

  it('is private if it begins in the background', () => {
    const host = startHost();
    const parent = host.begin('root');
    host.pause(parent);
    host.callTool(parent, 'Agent');
    host.endTool(parent, 'Agent');
    host.answers(host.begin('child', { parentSession: fileOf(parent) }), 'secret');
    expect(host.machine.events().filter(({ subject }) => subject === 'child')).toEqual([]);
  });

  it('is private if the tool was called while paused and still runs after that', () => {
    const host = startHost();
    const parent = host.begin('root');
    host.pause(parent);
    host.callTool(parent, 'Agent');
    host.resume(parent);
    host.answers(host.begin('child', { hasFile: false }), 'secret');
    expect(host.machine.events().filter(({ subject }) => subject === 'child')).toEqual([]);
  });

  it('is recorded if the tool was called after that', () => {
    const host = startHost();
    const parent = host.begin('root');
    host.pause(parent);
    host.callTool(parent, 'Agent');
    host.endTool(parent, 'Agent');
    host.resume(parent);
    host.callTool(parent, 'Agent', 'c2');
    host.answers(host.begin('child', { hasFile: false }), 'open');
    expect(host.told('pi.turn.completed.v1', 'child')).toHaveLength(1);
  });
});

const run = '62a1b160-a100-4897-9ff3-f5c06c007b2f';
const at = '2026-11-28T00:11:02.671Z';
