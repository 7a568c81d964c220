/** What hosts do with sessions, as random steps: prompts, branches, forks, kills, full disks. */
import fc from 'fast-check';
import type { Trigger } from '../../../../extension/live/triggers.ts';
import type { Attachment } from '../../../../extension/recorder.ts';
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
} from '../../support/fake-session.ts';
import { newMachine, startProcess } from '../../support/ledger-machine.ts';

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

export type Step =
  /** Appends an entry, which is seen at once, or only by a later trigger. */
  | { do: 'say'; what: number; trigger: number | null }
  /** The leaf moves to an earlier entry; the host may report it or not. */
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

export const step: fc.Arbitrary<Step> = fc.oneof(
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

/** A machine that runs one host program at a time. */
export function createWorld() {
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

  /** A new process resumes the session. */
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

  const actions: { readonly [What in Step['do']]: (next: Extract<Step, { do: What }>) => void } = {
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
      // A session whose first entry is older than its header cannot be distinguished from a fork.
      machine.nowMs += sessions.every(hasOwnEntry) ? ms : Math.abs(ms);
    },
  };
  const take = (next: Step) => (actions[next.do] as (step: Step) => void)(next);

  /** The disk has room again, and each session is resumed once more. */
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
