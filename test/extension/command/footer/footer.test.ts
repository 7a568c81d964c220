/** When the footer asks, what it shows between two answers, and where it stays silent. */
import { describe, expect, it } from 'vitest';
import type { EventDraft } from '../../../../core/record/draft.ts';
import type { Overview, OverviewAnswer } from '../../../../extension/command/asking/overview.ts';
import { askEveryMs, createFooter, settleMs } from '../../../../extension/command/footer/footer.ts';
import { addDraft } from '../../../../extension/live/add-spend.ts';
import { createDayTotals } from '../../../../extension/live/day-totals.ts';
import { newSessionState } from '../../../../extension/live/session-state.ts';
import { nothingSpent, type SpentTotals } from '../../../../extension/live/totals.ts';
import { manualClock } from '../../../core/spool/support/manual-clock.ts';
import { attribution } from '../../support/ledger-machine.ts';

function metered(cents: number): SpentTotals {
  const nanoUsd = BigInt(cents) * 10_000_000n;
  return { ...nothingSpent(), metered: { ...nothingSpent().metered, records: 1, nanoUsd } };
}

function overviewOf(todayCents: number, session: Overview['session'] = null): OverviewAnswer {
  const sums = { projectToday: null, today: metered(todayCents), month: metered(todayCents) };
  const rest = {
    user: 'ada',
    budgets: [],
    budgetsLeftOut: [],
    isGrowing: false,
    importing: null,
    leftOutLines: 0,
  };
  return { is: 'overview', overview: { ...rest, ...sums, session } };
}

function sessionOf(cents: number, isIgnored = false): Overview['session'] {
  const subagents = { subagents: 0, isAtLeast: false, subagentsSpent: nothingSpent() };
  return { isIgnored, spent: metered(cents), claimed: null, ...subagents };
}

const nobody: OverviewAnswer = { is: 'none', why: 'no collector answers (ECONNREFUSED)' };

function setUp(mode: 'tui' | 'print' | 'json' | 'rpc' = 'tui', hasUI = true, isShown = true) {
  const clock = manualClock(new Date(2026, 10, 22, 12).getTime());
  const days = createDayTotals();
  const session = newSessionState({
    id: 's1',
    header: null,
    file: null,
    agentName: null,
    parentage: { parent: null, parentSessionId: null, kind: 'none' },
    openedMonotonicMs: 0,
  });
  session.attribution = { ...attribution, mode };
  session.billing = { anthropic: 'metered' };
  const world = {
    pendingBytes: 0,
    answer: overviewOf(100),
    asked: 0,
    isAlert: false,
    state: 'idle' as const,
  };
  const lines: string[] = [];
  const ctx = { hasUI, ui: { setStatus: (_key: string, line: string) => void lines.push(line) } };
  const shipper = { state: () => world };
  const footer = createFooter({
    producer: { recorder: { days }, shipper } as unknown as Parameters<
      typeof createFooter
    >[0]['producer'],
    clock,
    isShown,
    onBudgets: () => world.isAlert,
    ask: () => {
      world.asked += 1;
      return Promise.resolve(world.answer);
    },
  });
  const spend = (cents: number) => {
    const draft = {
      type: 'pi.turn.completed.v1',
      time: new Date(clock.nowMs()).toISOString(),
      data: { spend: { provider: 'anthropic', reported: true, costNanoUsd: cents * 10_000_000 } },
    } as unknown as EventDraft;
    addDraft(session.totals, draft, session.billing);
    days.add(draft, session.billing);
  };
  const touch = async (passMs = 0) => {
    footer.touch(ctx, session);
    await pass(passMs);
  };
  const pass = async (ms: number) => {
    clock.advance(ms);
    for (let round = 0; round < 3; round += 1) await new Promise(setImmediate);
  };
  return { world, session, lines, spend, touch, pass, last: () => lines.at(-1) };
}

describe('the footer', () => {
  it('asks after something happened, and once a minute at most', async () => {
    const { world, touch, pass } = setUp();
    await touch(settleMs);
    expect(world.asked).toBe(1);
    for (let turn = 0; turn < 20; turn += 1) await touch(1_000);
    expect(world.asked).toBe(1);
    await pass(askEveryMs);
    expect(world.asked).toBe(2);
    await pass(askEveryMs);
    expect(world.asked).toBe(2);
  });

  it("adds what was recorded here since the answer to today's sum, and nothing twice", async () => {
    const { world, spend, touch, pass, last } = setUp();
    spend(7);
    await touch();
    expect(last()).toBe('$0.07 session · today … · ctx n/a');
    world.answer = overviewOf(107);
    await pass(settleMs);
    expect(last()).toBe('$0.07 session · $1.07 today · ctx n/a');
    spend(3);
    await touch();
    expect(last()).toBe('$0.10 session · $1.10 today · ctx n/a');
    world.answer = overviewOf(250);
    await pass(askEveryMs);
    expect(last()).toBe('$0.10 session · $2.50 today · ctx n/a');
  });

  it('asks for budgets alone where it is not shown, and on while they want it', async () => {
    const { world, lines, touch, pass } = setUp('tui', true, false);
    world.isAlert = true;
    await touch(settleMs);
    await pass(askEveryMs);
    expect(world.asked).toBe(2);
    world.isAlert = false;
    await pass(askEveryMs);
    await pass(askEveryMs);
    expect([world.asked, lines]).toEqual([3, []]);
  });

  it('waits until all of this process has arrived', async () => {
    const { world, touch, pass } = setUp();
    world.pendingBytes = 9;
    await touch(settleMs);
    expect(world.asked).toBe(0);
    world.pendingBytes = 0;
    await pass(settleMs);
    expect(world.asked).toBe(1);
  });

  it('says what is not known without a collector, and keeps a sum as the least', async () => {
    const { world, touch, last } = setUp();
    world.answer = nobody;
    await touch(settleMs);
    expect(last()).toBe('$0.00 session · today n/a · ctx n/a');
    world.answer = overviewOf(100);
    await touch(askEveryMs);
    expect(last()).toBe('$0.00 session · $1.00 today · ctx n/a');
    world.answer = nobody;
    await touch(askEveryMs);
    expect(last()).toBe('$0.00 session · ≥ $1.00 today · ctx n/a');
  });

  it('begins anew with a new day', async () => {
    const { world, spend, touch, pass, last } = setUp();
    spend(5);
    await touch(settleMs);
    world.answer = nobody;
    await pass(13 * 3_600_000);
    spend(2);
    await touch();
    expect(last()).toBe('$0.07 session · today … · ctx n/a');
  });

  it('shows all of a resumed session once the collector said it, before as the least', async () => {
    const { world, session, spend, touch, pass, last } = setUp();
    session.hasEarlier = true;
    spend(5);
    await touch();
    expect(last()).toMatch(/^≥ \$0\.05 session/);
    world.answer = overviewOf(200, sessionOf(105));
    await pass(settleMs);
    expect(last()).toMatch(/^\$1\.05 session/);
    spend(5);
    await touch();
    expect(last()).toMatch(/^\$1\.10 session · \$2\.05 today/);
  });

  it('shows how full the window is, by the last answer', async () => {
    const { session, touch, last } = setUp();
    session.context = { tokens: 61_000, windowTokens: 100_000 };
    await touch();
    expect(last()).toMatch(/ctx 61%$/);
  });

  it('leaves what an ignored project spends out of today, as the collector does', async () => {
    const { world, session, spend, touch, pass, last } = setUp();
    session.hasEarlier = true;
    world.answer = overviewOf(100, sessionOf(0, true));
    await touch(settleMs);
    spend(7);
    await touch();
    expect(last()).toBe('≥ $0.07 session · $1.00 today · ctx n/a');
    world.answer = overviewOf(100, sessionOf(3));
    await pass(askEveryMs);
    spend(2);
    await touch();
    expect(last()).toBe('$0.05 session · $1.02 today · ctx n/a');
  });

  it('asks nothing for a paused session, also where it was paused after the turn', async () => {
    const { world, session, touch, pass, last } = setUp();
    await touch();
    session.privacy = 'paused';
    await pass(askEveryMs);
    await touch(askEveryMs);
    expect([world.asked, last()]).toEqual([0, '$0.00 session · today n/a · ctx n/a']);
    session.privacy = 'none';
    await touch(askEveryMs);
    expect([world.asked, last()]).toEqual([1, '$0.00 session · $1.00 today · ctx n/a']);
    session.privacy = 'paused';
    await touch(askEveryMs);
    expect([world.asked, last()]).toEqual([1, '$0.00 session · ≥ $1.00 today · ctx n/a']);
  });

  it.each(['print', 'json', 'rpc'] as const)('is silent in %s mode', async (mode) => {
    const { world, lines, touch } = setUp(mode);
    await touch(askEveryMs);
    expect([lines, world.asked]).toEqual([[], 0]);
  });

  it('is silent without an interface, as in a subagent', async () => {
    const { world, lines, touch } = setUp('tui', false);
    await touch(askEveryMs);
    expect([lines, world.asked]).toEqual([[], 0]);
  });
});
