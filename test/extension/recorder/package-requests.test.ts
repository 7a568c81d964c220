/** Requests that no entry explains, whatever hosts do. */
import { describe, expect, it } from 'vitest';
import { answer, contextOf, deadContext, toolCall, usage } from '../support/fake-session.ts';
import { driveRequests, type Json } from './support/driven-requests.ts';

describe('a request', () => {
  it('that no entry explains is said when the run has settled, by the name of its host', () => {
    const driven = driveRequests();
    driven.begin();
    driven.request();
    driven.turn();
    expect(driven.said('pi.requests.observed.v1')).toEqual([]);
    driven.settle();
    expect(driven.said('pi.requests.observed.v1')).toEqual([
      { host: '127.0.0.1', provider: 'lab', unexplained: 1, explainedLater: 0 },
    ]);
    driven.begin();
    driven.turn();
    driven.settle();
    expect(driven.left()).toBe(1);
  });

  it('that an entry explains after it was said is taken back, at the same time', () => {
    const driven = driveRequests();
    driven.begin();
    driven.turn();
    driven.request();
    driven.settle();
    expect(driven.left()).toBe(1);
    driven.add({ type: 'usage', kind: 'cache_warm', usage: usage(5) });
    driven.begin();
    driven.turn();
    driven.settle();
    expect(driven.left()).toBe(0);
    const times = driven.machine
      .events()
      .flatMap(({ type, time }) => (type === 'pi.requests.observed.v1' ? [time] : []));
    expect(new Set(times).size).toBe(1);
  });

  it('is said again where the spool refused it', () => {
    const driven = driveRequests();
    driven.begin();
    driven.request();
    driven.machine.isFull = true;
    driven.settle();
    driven.machine.isFull = false;
    expect(driven.left()).toBe(0);
    driven.begin();
    driven.settle();
    expect(driven.left()).toBe(1);
  });

  it('to a host that has no model is not said', () => {
    const driven = driveRequests();
    driven.begin();
    driven.request('https://search.example');
    driven.settle();
    expect(driven.left()).toBe(0);
  });

  it('waits while the host does not say where its models are', () => {
    const driven = driveRequests();
    driven.begin();
    driven.request();
    driven.fire('agent_settled', {}, { modelRegistry: null });
    expect(driven.left()).toBe(0);
    driven.process.recorder.handle('agent_end', {}, deadContext(), driven.attachment);
    driven.settle();
    expect(driven.left()).toBe(1);
  });

  it('is not said by a session whose child still works', () => {
    const driven = driveRequests();
    driven.begin();
    driven.request();
    driven.fire('session_before_tree');
    driven.settle();
    expect(driven.left()).toBe(0);
    driven.fire('session_tree');
    driven.settle();
    expect(driven.left()).toBe(0);
  });

  it('of a private stretch is not said, nor what was sent just before it', () => {
    const driven = driveRequests();
    const { recorder } = driven.process;
    driven.begin();
    driven.request();
    const attachment = Object.assign(driven.attachment, {
      writeMark(data: Json) {
        driven.add({ type: 'custom', customType: 'pi-ledger.recording', data });
        return true;
      },
    });
    const ctx = contextOf(driven.session);
    expect(recorder.switchTo('paused', ctx, attachment)).toBe(true);
    expect(driven.send()).toBeNull();
    expect(recorder.switchTo('resumed', ctx, attachment)).toBe(true);
    driven.begin();
    driven.settle();
    expect(driven.left()).toBe(0);
    driven.begin();
    driven.request();
    driven.settle();
    expect(driven.left()).toBe(1);
  });
});

describe('no request is left', () => {
  it.each([
    ['of an attempt that fails after its answer began', { stopReason: 'error' }],
    ['of one that is aborted', { stopReason: 'aborted' }],
  ])('%s', (_, options) => {
    const driven = driveRequests();
    driven.begin();
    driven.turn(answer('', options));
    driven.turn();
    driven.settle();
    expect(driven.left()).toBe(0);
  });

  it('of turns whose beginning is told late', () => {
    const driven = driveRequests();
    driven.begin();
    driven.request();
    driven.machine.nowMs += 5;
    driven.fire('turn_start');
    driven.add(answer('r1'));
    driven.fire('turn_end');
    driven.settle();
    expect(driven.left()).toBe(0);
  });

  it('of a compaction with two summaries, one of them tried twice', () => {
    const driven = driveRequests();
    driven.begin();
    driven.turn();
    driven.fire('session_before_compact');
    for (let each = 0; each < 3; each += 1) driven.request();
    driven.add({ type: 'compaction', summary: 's', tokensBefore: 9, usage: usage(5) });
    driven.fire('session_compact');
    driven.settle();
    expect(driven.left()).toBe(0);
  });

  it('of a compaction that another one overtakes, and whose answer comes last', () => {
    const driven = driveRequests();
    driven.begin();
    driven.turn();
    driven.settle();
    driven.fire('session_before_compact');
    const first = driven.send() ?? {};
    driven.fire('session_before_compact');
    driven.request();
    driven.add({ type: 'compaction', summary: 's', tokensBefore: 9, usage: usage(5) });
    driven.fire('session_compact');
    driven.answered(first);
    driven.begin();
    driven.turn();
    driven.settle();
    expect(driven.left()).toBe(0);
  });

  it.each(['session_compact_failed', 'agent_start', 'session_shutdown'] as const)(
    'of a compaction that fails, as %s tells',
    (told) => {
      const driven = driveRequests();
      driven.begin();
      driven.turn();
      driven.fire('session_before_compact');
      driven.request();
      driven.fire(told);
      driven.settle();
      expect(driven.left()).toBe(0);
    },
  );

  it('of a branch summary', () => {
    const driven = driveRequests();
    driven.fire('session_before_tree');
    driven.request();
    driven.request();
    driven.add({ type: 'branch_summary', summary: 's', fromId: 'root', usage: usage(5) });
    driven.fire('session_tree');
    driven.settle();
    expect(driven.left()).toBe(0);
  });

  it('of a tool whose result says what it spent', () => {
    const driven = driveRequests();
    driven.begin();
    driven.turn(answer('r1', { content: [toolCall('c1', 'ask')] }));
    driven.fire('tool_execution_start', { toolCallId: 'c1', toolName: 'ask' });
    for (let each = 0; each < 3; each += 1) driven.request();
    driven.fire('tool_execution_end', { toolCallId: 'c1', toolName: 'ask' });
    driven.add({
      type: 'message',
      message: { role: 'toolResult', toolCallId: 'c1', toolName: 'ask', usage: usage(9) },
    });
    driven.settle();
    expect(driven.left()).toBe(0);
  });
});

describe('what is left', () => {
  it('after an attempt that had no answer is what was asked before it', () => {
    const driven = driveRequests();
    driven.begin();
    driven.request();
    driven.machine.nowMs += 5;
    driven.fire('turn_start');
    const timestamp = driven.machine.nowMs;
    driven.send();
    driven.add(answer('', { stopReason: 'error', timestamp, usage: {} }));
    driven.fire('turn_end');
    driven.turn();
    driven.settle();
    expect(driven.left()).toBe(1);
  });

  it('of a tool whose result says nothing are its requests', () => {
    const driven = driveRequests();
    driven.begin();
    driven.turn(answer('r1', { content: [toolCall('c1', 'ask')] }));
    driven.fire('tool_execution_start', { toolCallId: 'c1', toolName: 'ask' });
    driven.request();
    driven.add({
      type: 'message',
      message: { role: 'toolResult', toolCallId: 'c1', toolName: 'ask' },
    });
    driven.settle();
    expect(driven.left()).toBe(1);
  });

  it('of a compaction by an extension without usage is all but one, which its entry is', () => {
    const driven = driveRequests();
    driven.fire('session_before_compact');
    driven.request();
    driven.request();
    driven.add({ type: 'compaction', summary: 's', tokensBefore: 9, fromHook: true });
    driven.fire('session_compact', { fromExtension: true });
    driven.settle();
    expect(driven.left()).toBe(1);
  });
});

describe('listening', () => {
  it('begins with a session and ends with the last one', () => {
    const driven = driveRequests();
    expect(driven.isListening()).toBe(true);
    driven.fire('session_shutdown', { reason: 'quit' });
    expect(driven.isListening()).toBe(false);
    driven.fire('session_start', { reason: 'resume' });
    expect(driven.isListening()).toBe(true);
  });
});
