/** Requests that no entry explains, in recorded runs of packages and in what hosts may do. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RequestListener, WatchRequests } from '../../../extension/host/request-channel.ts';
import { drive } from '../support/driven-session.ts';
import { answer, contextOf, deadContext, toolCall, usage } from '../support/fake-session.ts';
import { problemsOf } from '../support/schemas.ts';

type Json = Readonly<Record<string, unknown>>;

const origin = 'http://127.0.0.1:8170';

const registryAt = (...baseUrls: readonly string[]) => ({
  isUsingOAuth: () => false,
  getAll: () => baseUrls.map((baseUrl) => ({ provider: 'lab', id: 'm', baseUrl })),
});

/** A session whose requests the test sends. */
function driveRequests(baseUrl = `${origin}/v1`) {
  let listener: RequestListener | null = null;
  const watchRequests: WatchRequests = (listening) => {
    listener = listening;
    return () => {
      listener = null;
    };
  };
  const driven = drive({ watchRequests });
  const { machine } = driven;
  const overrides = {
    model: { provider: 'lab', id: 'm', contextWindow: 200_000, baseUrl },
    modelRegistry: registryAt(`${baseUrl}`),
  };
  const fire = (trigger: Parameters<typeof driven.fire>[0], event: unknown = {}, more: Json = {}) =>
    driven.fire(trigger, event, { ...overrides, ...more });
  const send = (to = origin) => {
    machine.nowMs += 1;
    return listener?.sent(to) ?? null;
  };
  const request = (to = origin) => {
    const sent = send(to);
    if (sent !== null) listener?.answered(sent);
  };
  const left = () =>
    driven
      .said('pi.requests.observed.v1')
      .reduce((sum, { unexplained, explainedLater }) => sum + unexplained - explainedLater, 0);
  const turn = (entry: Json = answer('r1')) => {
    fire('turn_start');
    request();
    driven.add({ ...entry });
    fire('turn_end');
  };
  const begin = () => {
    fire('before_agent_start');
    fire('agent_start');
  };
  return {
    ...driven,
    fire,
    send,
    request,
    left,
    turn,
    begin,
    settle: () => fire('agent_settled'),
    isListening: () => listener !== null,
    answered: (sent: object) => listener?.answered(sent),
  };
}

const recordings = join(import.meta.dirname, 'package-recordings');

function linesOf(name: string, file: string): readonly Json[] {
  return readFileSync(join(recordings, name, file), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

describe('in a recorded run', () => {
  it.each(readdirSync(recordings))(
    'of %s, each request is in a record or in what is said',
    (name) => {
      const hooks = linesOf(name, 'hooks.jsonl');
      const truth = linesOf(name, 'truth.jsonl');
      const base = String(hooks.find(({ n }) => n === 'dc:create')?.origin);
      const driven = driveRequests(`${base}/v1`);
      const { fire, add, send, answered } = driven;
      const [, ...entries] = linesOf(name, 'session.jsonl');
      const sent: object[] = [];
      const appendThrough = (isLast: (entry: Json) => boolean) => {
        const end = entries.findIndex(isLast);
        for (const { id: _, parentId: __, timestamp: ___, ...body } of entries.splice(0, end + 1))
          add(body);
      };
      driven.begin();
      for (const { n, rid } of hooks) {
        if (n === 'before_provider_request') fire('turn_start');
        if (n === 'dc:create') sent.push(send(base) ?? {});
        if (n === 'dc:headers') answered(sent.shift() ?? {});
        if (n === 'message_end') {
          appendThrough(({ message }) => (message as Json | undefined)?.responseId === rid);
          fire('turn_end');
        }
        if (n !== 'session_compact') continue;
        appendThrough(({ type }) => type === 'compaction');
        fire('session_compact');
      }
      appendThrough((entry) => entry === entries.at(-1));
      driven.settle();
      fire('session_shutdown', { reason: 'quit' });
      const spent = ['pi.turn.completed.v1', 'pi.compaction.completed.v1', 'pi.usage.recorded.v1'];
      const records = driven.machine.events().filter(({ type }) => spent.includes(type));
      expect(driven.left()).toBeGreaterThan(0);
      expect(records.length + driven.left()).toBe(truth.length);
      expect(driven.machine.events().flatMap(problemsOf)).toEqual([]);
    },
  );
});

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
