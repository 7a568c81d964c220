/** When a run without a person ends, what it says, and what is asked for that. */
import { describe, expect, it } from 'vitest';
import type { Overview, OverviewAnswer } from '../../../../extension/command/asking/overview.ts';
import { createBudgets, freshMs } from '../../../../extension/command/budgets/budgets.ts';
import { refusal } from '../../../../extension/command/budgets/gate.ts';
import {
  askAgainMs,
  askEveryMs,
  createHeadlessRuns,
} from '../../../../extension/command/budgets/headless.ts';
import { newSessionState } from '../../../../extension/live/session-state.ts';
import { nothingSpent } from '../../../../extension/live/totals.ts';
import type { Trigger } from '../../../../extension/live/triggers.ts';
import { manualClock } from '../../../core/spool/support/manual-clock.ts';
import { attribution } from '../../support/ledger-machine.ts';
import { budget } from './given.ts';

const ending = { endsHeadlessRuns: true, isHard: false };
const moreTurns = { type: 'turn_end', toolResults: [{ role: 'toolResult' }] };
const lastTurn = { type: 'turn_end', toolResults: [] };
const known: Overview['session'] = {
  isIgnored: false,
  spent: nothingSpent(),
  claimed: null,
  subagents: 0,
  isAtLeast: false,
  subagentsSpent: nothingSpent(),
};

interface World {
  readonly mode?: 'tui' | 'print' | 'json' | 'rpc';
  readonly over?: Parameters<typeof budget>[0];
  readonly isKnown?: boolean;
  readonly hasNoCollector?: boolean;
  /** So many questions, the first ones: its code cannot be loaded. */
  readonly failing?: number;
  /** So many questions, the first ones: nothing answered in time. */
  readonly late?: number;
  readonly hasUI?: boolean;
  readonly stopsRuns?: string;
  /** What is said of this run's own budget. */
  runOver?(): string | null;
}

function stateOf(id: string, mode: World['mode'], kind: 'main' | 'subagent' = 'main') {
  const parentage = { parent: null, parentSessionId: null, kind: 'none' as const };
  const about = { header: null, file: null, agentName: null, openedMonotonicMs: 0 };
  const session = newSessionState({ id, parentage, ...about });
  session.attribution = { ...attribution, mode: mode ?? 'print', agent: { kind, name: null } };
  return session;
}

function setUp(world: World = {}) {
  const { mode = 'print', over = ending, isKnown = true, hasUI = false } = world;
  const clock = manualClock(Date.parse('2026-11-22T12:00:00.000Z'));
  const session = stateOf('s1', mode);
  const asked: string[] = [];
  const lines: string[] = [];
  const codes: number[] = [];
  const calls: string[] = [];
  const sums = { projectToday: null, today: nothingSpent(), month: nothingSpent() };
  const rest = {
    user: null,
    isGrowing: false,
    importing: null,
    budgetsLeftOut: [],
    leftOutLines: 0,
    budgets: [budget(over)],
  };
  const overview = { ...sums, ...rest, session: isKnown ? known : null };
  const lateMax = world.hasNoCollector ? Number.POSITIVE_INFINITY : (world.late ?? 0);
  const answer = (): OverviewAnswer =>
    asked.length <= lateMax
      ? { is: 'none', why: 'no collector answers' }
      : { is: 'overview', overview };
  const runs = createHeadlessRuns({
    budgets: createBudgets(clock.nowMs),
    clock,
    stopsRuns: world.stopsRuns ?? null,
    runOver: world.runOver ?? (() => null),
    ask(id) {
      asked.push(id);
      const isFailing = asked.length <= (world.failing ?? 0);
      return isFailing ? Promise.reject(new Error('no module')) : Promise.resolve(answer());
    },
    writeLine: (line) => void lines.push(line),
    setExitCode: (code) => void codes.push(code),
  });
  const ctx = {
    hasUI,
    abort: () => void calls.push('abort'),
    shutdown: () => void calls.push('shutdown'),
    ui: { notify: () => void calls.push('notify') },
  };
  const pass = async (ms = 0) => {
    clock.advance(ms);
    for (let round = 0; round < 3; round += 1) await new Promise(setImmediate);
  };
  const hook = (trigger: Trigger, event: unknown = {}, of = session) =>
    runs.after(trigger, event, ctx, of);
  const started = async () => {
    hook('session_start');
    await pass();
  };
  return { session, asked, lines, codes, calls, pass, hook, started };
}

describe('a headless run while a budget that ends it is over', () => {
  it('goes on until the collector has said so, then sends no prompt and says why', async () => {
    const { asked, lines, codes, calls, hook, pass } = setUp();
    hook('session_start');
    expect(hook('input')).toBeUndefined();
    expect([asked, calls]).toEqual([[], []]);
    await pass();
    expect(hook('input')).toBe(refusal);
    expect(hook('input')).toBe(refusal);
    expect(lines).toEqual([
      'pi-ledger ends this run. Budget shop is over: $52.10 of $50.00 this month. ' +
        'To go on, raise its limit or remove its "endsHeadlessRuns" in config.json.',
    ]);
    expect([asked, calls, codes[0]]).toEqual([['s1'], [], 1]);
  });

  it('ends also where the first question failed, and the next is answered', async () => {
    const { asked, hook, pass, started } = setUp({ failing: 1 });
    await started();
    expect(hook('input')).toBeUndefined();
    await pass(askEveryMs);
    hook('agent_start');
    await pass();
    expect(asked).toEqual(['s1', 's1']);
    expect(hook('input')).toBe(refusal);
  });

  it('ends also where the first answer was late, without waiting for a minute', async () => {
    const { asked, hook, pass, started } = setUp({ late: 1 });
    await started();
    expect(hook('turn_end', moreTurns)).toBeUndefined();
    await pass(askAgainMs - 1);
    expect(asked).toHaveLength(1);
    await pass(1);
    await pass();
    expect(asked).toHaveLength(2);
    expect(hook('input')).toBe(refusal);
  });

  it('is aborted between two requests, and not after the last', async () => {
    const { calls, codes, hook, started } = setUp();
    await started();
    hook('turn_end', lastTurn);
    expect([calls, codes]).toEqual([[], []]);
    expect(hook('turn_end', moreTurns)).toBeUndefined();
    expect([calls, codes]).toEqual([['abort'], [1]]);
    expect(hook('agent_start')).toBeUndefined();
    expect(calls).toEqual(['abort', 'abort']);
  });

  it('needs no collector once it has spent its own budget', async () => {
    let spent: string | null = null;
    const { lines, calls, codes, hook, started } = setUp({
      hasNoCollector: true,
      runOver: () => spent,
    });
    await started();
    hook('turn_end', moreTurns);
    expect([calls, lines]).toEqual([[], []]);
    spent = 'This run has spent $5.0210 of $5.0000.';
    hook('turn_end', lastTurn);
    expect(calls).toEqual([]);
    hook('turn_end', moreTurns);
    expect(hook('input')).toBe(refusal);
    expect([calls, codes]).toEqual([['abort'], [1, 1]]);
    expect(lines).toEqual([
      'pi-ledger ends this run. This run has spent $5.0210 of $5.0000. ' +
        'To go on, raise PI_LEDGER_RUN_BUDGET, or "runBudget" in config.json.',
    ]);
  });

  it('does not start where its own budget cannot be read, and the settings say so', async () => {
    const stopsRuns = 'PI_LEDGER_RUN_BUDGET is "5 dollars"';
    const { lines, calls, codes, hook, started } = setUp({ hasNoCollector: true, stopsRuns });
    await started();
    expect(hook('input')).toBe(refusal);
    hook('agent_start');
    expect([calls, codes]).toEqual([['abort'], [1, 1]]);
    expect(lines).toEqual([
      'pi-ledger ends this run. PI_LEDGER_RUN_BUDGET is "5 dollars". ' +
        'To go on, mend it, or switch "stopWhenUnreadable" off in config.json.',
    ]);
    const withPerson = setUp({ mode: 'tui', hasNoCollector: true, stopsRuns });
    expect(withPerson.hook('input')).toBeUndefined();
    expect(withPerson.lines).toEqual([]);
  });

  it('has no budget of its own with a person, nor while it is paused', async () => {
    const runOver = () => 'This run has spent $5.0210 of $5.0000.';
    const withPerson = setUp({ mode: 'tui', hasNoCollector: true, runOver });
    const paused = setUp({ hasNoCollector: true, runOver });
    paused.session.privacy = 'paused';
    for (const { hook, lines, calls } of [withPerson, paused]) {
      expect(hook('input')).toBeUndefined();
      hook('turn_end', moreTurns);
      expect([lines, calls]).toEqual([[], []]);
    }
  });

  it('is said on one line, whatever the name of the budget is', async () => {
    const { lines, hook, started } = setUp({ over: { ...ending, name: 'a\u001b[31m\nb' } });
    await started();
    hook('input');
    expect(lines).toHaveLength(1);
    expect(lines[0]).not.toContain('\n');
    expect(lines[0]).not.toContain('\u001b');
  });

  it('ends the process in RPC mode, whose client is told too', async () => {
    const { calls, hook, started } = setUp({ mode: 'rpc', hasUI: true });
    await started();
    hook('turn_end', moreTurns);
    expect(calls).toEqual(['notify', 'shutdown', 'abort']);
  });

  it("ends omp's subagents too, but not those of a session in a terminal", async () => {
    const child = stateOf('s2', 'print', 'subagent');
    const { asked, calls, hook, started } = setUp();
    await started();
    hook('turn_end', moreTurns, child);
    expect([asked, calls]).toEqual([['s1'], ['abort']]);
    const terminal = setUp({ mode: 'tui' });
    await terminal.started();
    terminal.hook('turn_end', moreTurns, child);
    expect([terminal.asked, terminal.calls]).toEqual([[], []]);
  });

  it.each<[string, World]>([
    ['does not say that it ends them', { over: { endsHeadlessRuns: false, isHard: true } }],
    ['is only near its limit', { over: { ...ending, state: 'warning' } }],
    ['has a state that is not known', { over: { ...ending, state: null } }],
    ['is asked about in vain', { hasNoCollector: true }],
    ['is over in a terminal', { mode: 'tui' }],
  ])('goes on if the budget %s', async (_what, world) => {
    const { lines, codes, calls, hook, started } = setUp(world);
    await started();
    expect(hook('input')).toBeUndefined();
    hook('agent_start');
    hook('turn_end', moreTurns);
    expect([lines, codes, calls]).toEqual([[], [], []]);
  });

  it('goes on when the last answer is too old, or the period is over', async () => {
    const { hook, started, pass } = setUp();
    await started();
    await pass(freshMs + 1);
    expect(hook('input')).toBeUndefined();
    const past = { start: '2026-11-01T00:00:00.000Z', end: '2026-11-22T11:59:59.999Z' };
    const other = setUp({ over: { ...ending, period: past } });
    await other.started();
    expect(other.hook('input')).toBeUndefined();
  });

  it('is neither asked about nor ended while its session is paused', async () => {
    const { session, asked, hook, started, pass } = setUp();
    session.privacy = 'paused';
    await started();
    expect(asked).toEqual([]);
    session.privacy = 'none';
    hook('turn_end', lastTurn);
    await pass();
    session.privacy = 'paused';
    expect(hook('input')).toBeUndefined();
  });
});

describe('questions', () => {
  it('are asked once a minute at most, hook something happened', async () => {
    const { asked, hook, started, pass } = setUp({ over: { ...ending, state: 'ok' } });
    await started();
    for (let turn = 0; turn < 20; turn += 1) {
      hook('turn_end', moreTurns);
      await pass(1_000);
    }
    expect(asked).toHaveLength(1);
    await pass(askEveryMs);
    expect(asked).toHaveLength(1);
    hook('turn_end', moreTurns);
    await pass();
    expect(asked).toHaveLength(2);
  });

  it.each<[string, World]>([
    ['the collector does not know the session', { isKnown: false }],
    ['no collector answers', { hasNoCollector: true }],
  ])('are repeated a few times while %s, whatever happens', async (_what, world) => {
    const { asked, hook, started, pass } = setUp({ over: { ...ending, state: 'ok' }, ...world });
    await started();
    for (let look = 0; look < 20; look += 1) {
      await pass(askAgainMs);
      hook('turn_end', moreTurns);
    }
    expect(asked).toHaveLength(6);
  });

  it('are not repeated for a session that another one has followed', async () => {
    const { asked, hook, started, pass } = setUp({ hasNoCollector: true });
    await started();
    await pass(askAgainMs / 2);
    hook('session_switch', {}, stateOf('s2', 'print'));
    await pass();
    for (let look = 0; look < 40; look += 1) await pass(askAgainMs / 2);
    expect(asked).toEqual(['s1', ...Array.from({ length: 6 }, () => 's2')]);
  });
});
