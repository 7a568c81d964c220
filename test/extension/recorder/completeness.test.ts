/**
 * Whatever hosts do with their sessions, and whenever they are killed: in the end every entry of
 * every session is recorded, under the ids that an importer of the files would give, and nothing
 * else is.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventTypes } from '../../../contract/index.ts';
import type { Trigger } from '../../../extension/live/triggers.ts';
import { readEntry, readHeader } from '../../../extension/record/entry.ts';
import { recordSessionStarted } from '../../../extension/record/session.ts';
import type { Attachment } from '../../../extension/recorder.ts';
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
import {
  type LedgerMachine,
  newMachine,
  type Process,
  startProcess,
} from '../support/ledger-machine.ts';
import { problemsOf } from '../support/schemas.ts';
import { eventsOf } from '../support/sessions.ts';

const midRunTriggers: readonly Trigger[] = [
  'turn_end',
  'tool_result',
  'tool_execution_start',
  'tool_execution_end',
  'agent_end',
  'agent_start',
  'model_select',
  'session_compact',
];

type Step =
  /**
   * Entries are appended; some of them are seen at once, others by a later trigger, others never by
   * a trigger of their own.
   */
  | { do: 'say'; what: number; trigger: number | null }
  /** The leaf moves to an earlier entry; with or without the host telling of it. */
  | { do: 'move'; to: number; told: boolean }
  | { do: 'rest' }
  | { do: 'idle'; slices: number }
  | { do: 'fork' }
  | { do: 'new' }
  | { do: 'switch'; to: number }
  | { do: 'quit' }
  | { do: 'kill' }
  /** The host runs without the extension for a while. */
  | { do: 'unseen'; entries: number }
  | { do: 'full'; isFull: boolean }
  | { do: 'stuck'; isMarkStuck: boolean }
  | { do: 'clock'; ms: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constant('say' as const),
      what: fc.nat(11),
      trigger: fc.option(fc.nat(midRunTriggers.length - 1)),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('move' as const), to: fc.nat(), told: fc.boolean() }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('rest' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('idle' as const), slices: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('fork' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('new' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('switch' as const), to: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('quit' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('kill' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('unseen' as const),
      entries: fc.oneof(fc.nat(4), fc.constant(450)),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('full' as const), isFull: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('stuck' as const), isMarkStuck: fc.boolean() }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('clock' as const),
      ms: fc.integer({ min: -60_000, max: 3_600_000 }),
    }),
  },
);

/** One machine, one host program at a time on it. */
function createWorld() {
  const machine = newMachine();
  const sessions: FakeSession[] = [];
  let ids = 0;
  let current = begin();
  let process = startProcess(machine);
  let attachment: Attachment = { sessionId: null };
  fire('session_start');

  function begin(from?: FakeSession): FakeSession {
    machine.nowMs += 50;
    const session =
      from === undefined
        ? newSession(`s${sessions.length}`, machine.nowMs)
        : fork(from, `s${sessions.length}`, machine.nowMs);
    sessions.push(session);
    return session;
  }

  function fire(trigger: Trigger, event: unknown = {}): void {
    process.recorder.handle(trigger, event, contextOf(current), attachment);
  }

  function say(what: number): void {
    ids += 1;
    machine.nowMs += 3;
    append(current, `e${ids}`, machine.nowMs, bodies[what % bodies.length]?.(ids) ?? userSays());
  }

  /** Another program start takes the session up again. */
  function restart(): void {
    machine.nowMs += 5_000;
    process = startProcess(machine);
    attachment = { sessionId: null };
    fire('session_start');
  }

  function moveTo(session: FakeSession, reason: 'new' | 'fork' | 'resume'): void {
    fire('session_shutdown', { reason });
    const previousSessionFile = fileOf(current);
    current = session;
    attachment = { sessionId: null };
    fire('session_start', { type: 'session_start', reason, previousSessionFile });
  }

  const acts: { readonly [What in Step['do']]: (next: Extract<Step, { do: What }>) => void } = {
    say(next) {
      say(next.what);
      if (next.trigger !== null) fire(midRunTriggers[next.trigger] ?? 'turn_end');
    },
    move({ to, told }) {
      const entry = current.entries[to % Math.max(1, current.entries.length)];
      current.leafId = entry === undefined ? null : String(entry.id);
      if (told) fire('session_tree');
    },
    rest: () => fire('agent_settled'),
    idle: ({ slices }) => process.idle(slices),
    fork() {
      fire('session_before_fork');
      moveTo(begin(current), 'fork');
    },
    new: () => moveTo(begin(), 'new'),
    switch: ({ to }) => moveTo(sessions[to % sessions.length] ?? current, 'resume'),
    quit() {
      fire('session_shutdown', { reason: 'quit' });
      restart();
    },
    kill: () => restart(),
    unseen({ entries }) {
      for (let entry = 0; entry < entries; entry += 1) say(entry);
      restart();
    },
    full({ isFull }) {
      machine.isFull = isFull;
    },
    stuck({ isMarkStuck }) {
      machine.isMarkStuck = isMarkStuck;
    },
    clock({ ms }) {
      // A session whose very first entry is older than its header cannot be told from a fork by
      // anybody.
      machine.nowMs += sessions.every(hasOwnEntry) ? ms : Math.abs(ms);
    },
  };
  const take = (next: Step) => (acts[next.do] as (step: Step) => void)(next);

  /** The disk has room again, and each session is taken up once more. */
  function finish(): void {
    machine.isFull = false;
    machine.isMarkStuck = false;
    machine.nowMs += 1e9;
    for (const session of sessions) {
      current = session;
      restart();
      process.idle();
      fire('agent_settled');
      fire('session_shutdown', { reason: 'quit' });
    }
  }

  return { machine, sessions, take, finish, process: () => process };
}

const bodies: readonly ((id: number) => Record<string, unknown>)[] = [
  () => userSays(),
  (id) => answer(`r${id}`),
  (id) => answer(`r${id}`, { content: [toolCall(`c${id}`, 'edit', { path: 'a.ts' })] }),
  (id) => toolResult(`c${id - 1}`, 'edit'),
  (id) =>
    toolResult(`c${id - 1}`, 'subagent', false, {
      results: [{ agent: 'worker', messages: [answer(`sub${id}`).message] }],
    }),
  (id) =>
    answer(`r${id}`, {
      content: [{ type: 'text', text: 'half' }],
      stopReason: 'aborted',
      usage: {},
    }),
  (id) => answer(`r${id}`, { stopReason: 'error', usage: usage(0) }),
  () => ({ type: 'usage', kind: 'cache_warm', usage: usage(5) }),
  () => ({ type: 'compaction', summary: 'x', usage: usage(9) }),
  () => ({ type: 'model_change', provider: 'p', modelId: 'm' }),
  () => ({ type: 'label', label: 'x' }),
  () => ({ type: 'thinking_level_change', thinkingLevel: 'high' }),
];

function hasOwnEntry({ header, entries }: FakeSession): boolean {
  return entries.some(({ timestamp }) => String(timestamp) >= String(header.timestamp));
}

const entryTypes = new Set<string>(
  eventTypes.filter(({ basis }) => basis === 'entry').map(({ type }) => type),
);

function recordedIds({ events }: LedgerMachine): ReadonlyMap<string, string> {
  const entryEvents = events().filter(({ type }) => entryTypes.has(type));
  return new Map(entryEvents.map(({ id, type, data }) => [id, `${type} ${JSON.stringify(data)}`]));
}

function expectedIds(sessions: readonly FakeSession[]): ReadonlyMap<string, string> {
  const expected = new Map<string, string>();
  for (const session of sessions) {
    const header = readHeader(session.header);
    if (header === null) throw new Error('no header');
    const entries = session.entries.map(readEntry).filter((entry) => entry !== null);
    for (const draft of [recordSessionStarted(header), ...eventsOf(header, entries)])
      expected.set(draft.id, `${draft.type} ${JSON.stringify(draft.data)}`);
  }
  return expected;
}

function runSteps(steps: readonly Step[]): {
  machine: LedgerMachine;
  sessions: readonly FakeSession[];
  process: Process;
} {
  const world = createWorld();
  for (const next of steps) world.take(next);
  world.finish();
  return { machine: world.machine, sessions: world.sessions, process: world.process() };
}

describe('the recorder over a history of prompts, branches, forks, kills and full disks', () => {
  it('records exactly what the session files say', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const { machine, sessions } = runSteps(steps);
        const recorded = recordedIds(machine);
        const expected = expectedIds(sessions);
        expect(
          [...expected.keys()].filter((id) => !recorded.has(id)).map((id) => expected.get(id)),
        ).toEqual([]);
        expect(
          [...recorded.keys()].filter((id) => !expected.has(id)).map((id) => recorded.get(id)),
        ).toEqual([]);
        expect(recorded).toEqual(expected);
      }),
      { numRuns: 400 },
    );
  });

  it('says whose session it is before the session has spent anything', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const { machine } = runSteps(steps);
        const attributed = new Set<string>();
        for (const { type, subject, data } of machine.events()) {
          if (type === 'pi.session.attributed.v1') attributed.add(subject);
          if ('spend' in data) expect(attributed.has(subject)).toBe(true);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('makes only events that the collector takes', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        expect(runSteps(steps).machine.events().flatMap(problemsOf)).toEqual([]);
      }),
      { numRuns: 50 },
    );
  });

  it('records nothing twice while a process lives and the spool takes everything', () => {
    const calm = step.filter(
      ({ do: what }) => !['kill', 'quit', 'unseen', 'full', 'stuck', 'clock'].includes(what),
    );
    fc.assert(
      fc.property(fc.array(calm, { maxLength: 60 }), (steps) => {
        const world = createWorld();
        for (const next of steps) world.take(next);
        const ids = world.machine.events().map(({ id }) => id);
        expect(new Set(ids).size).toBe(ids.length);
      }),
      { numRuns: 200 },
    );
  });
});
