/** Which changes of budgets are told, and which hard budgets stand in the way of a prompt. */
import { describe, expect, it, vi } from 'vitest';
import type { OverviewBudget } from '../../../../extension/command/asking/overview.ts';
import {
  allowedMs,
  createBudgets,
  freshMs,
} from '../../../../extension/command/budgets/budgets.ts';
import { budgetNotice } from '../../../../extension/command/budgets/text.ts';
import { budget } from './given.ts';

const december = { start: '2026-12-01T00:00:00.000Z', end: '2027-01-01T00:00:00.000Z' };

function setUp(start = '2026-11-22T12:00:00.000Z') {
  const time = { nowMs: Date.parse(start) };
  const budgets = createBudgets(() => time.nowMs);
  const kinds = (...given: readonly Partial<OverviewBudget>[]) =>
    budgets.note('s1', given.map(budget)).map(({ kind }) => kind);
  return { time, budgets, kinds };
}

describe('notices', () => {
  it('come once for each change upwards, however often it goes up and down', () => {
    const { kinds } = setUp();
    expect(kinds({ state: 'ok' })).toEqual([]);
    expect(kinds({ state: 'warning' })).toEqual(['warning']);
    expect(kinds({ state: 'warning' })).toEqual([]);
    expect(kinds({ state: 'over' })).toEqual(['warning']);
    for (const state of ['ok', 'warning', 'over', 'warning', 'over'])
      expect(kinds({ state })).toEqual([]);
  });

  it('say quietly what was over before, and nothing of a warning from before', () => {
    expect(setUp().kinds({ state: 'over' }, { name: 'other', state: 'warning' })).toEqual(['info']);
    const { kinds } = setUp();
    kinds({ state: 'warning' });
    expect(kinds({ state: 'over' })).toEqual(['warning']);
  });

  it('come of what is likely, between ok and a warning, and not of before', () => {
    const likely = { state: 'ok', expected: '57.2' };
    const { kinds } = setUp();
    expect(kinds({ state: 'ok' })).toEqual([]);
    expect(kinds(likely)).toEqual(['warning']);
    expect(kinds(likely)).toEqual([]);
    expect(kinds({ ...likely, state: 'warning' })).toEqual(['warning']);
    expect(kinds(likely)).toEqual([]);
    expect(setUp().kinds(likely)).toEqual([]);
  });

  it('begin anew with a period and with a definition', () => {
    const { kinds } = setUp();
    kinds({ state: 'over' });
    expect(kinds({ state: 'warning', period: december })).toEqual(['warning']);
    expect(kinds({ state: 'over', period: december })).toEqual(['warning']);
    expect(kinds({ state: 'over', version: 'another' })).toEqual(['info']);
  });

  it('are not given by a state that is not known, which forgets nothing either', () => {
    const { kinds } = setUp();
    kinds({ state: 'over' });
    expect(kinds({ state: null }, { state: 'odd' }, { state: 'over' })).toEqual([]);
    const other = setUp();
    other.kinds({ state: 'ok' });
    // No state of a budget, but a word of crossings.
    expect(other.kinds({ state: 'forecast' }, { state: 'forecast', expected: '57' })).toEqual([]);
  });

  it.each<[Partial<OverviewBudget>, string]>([
    [{}, 'Budget shop is over: $52.10 of $50.00 this month.'],
    [
      { state: 'warning', used: '41.999999', usedShare: 0.8399, isAtLeast: true, per: 'day' },
      'Budget shop is at ≥ 83 %: ≥ $42.00 of $50.00 today.',
    ],
    [
      { unit: 'list-price dollars', limit: '0.0005', used: '0.00059' },
      'Budget shop is over: $0.0006 of $0.0005 at list price this month.',
    ],
    [
      { unit: 'tokens', limit: '20000000', used: '20000001', per: 'week' },
      'Budget shop is over: 20,000,001 of 20,000,000 tokens this week.',
    ],
    [
      { unit: 'tokens', limit: '20', used: '21', per: '14 days' },
      'Budget shop is over: 21 of 20 tokens in these 14 days.',
    ],
    [
      { unit: 'percent', limit: '90', used: '91.5', per: '5h window' },
      'Budget shop is over: 91 % of 90 % in this 5 h window.',
    ],
    [
      { state: 'ok', used: '30.1', usedShare: 0.602, expected: '57.209' },
      'Budget shop is likely to pass its limit: $30.10 of $50.00 this month, ~$57.21 at its end.',
    ],
    [
      { state: 'warning', used: null, usedShare: null },
      'Budget shop is near its limit: n/a of $50.00 this month.',
    ],
  ])('%# read like this', (more, text) => expect(budgetNotice(budget(more))).toBe(text));
});

describe('what was said', () => {
  const module = '../../../../extension/command/shared-budgets.ts';
  it('is known to every evaluation of the extension in the process', async () => {
    const { sharedBudgets } = await import(module);
    vi.resetModules();
    const again = await import(module);
    expect(again.sharedBudgets).not.toBe(sharedBudgets);
    expect(again.sharedBudgets()).toBe(sharedBudgets());
  });
});

describe('a hard budget stands in the way', () => {
  it('while it is over, in the session that it touches', () => {
    const { budgets, kinds } = setUp();
    expect(budgets.inTheWay('s1')).toEqual([]);
    kinds({}, { name: 'soft', isHard: false }, { name: 'near', state: 'warning' });
    expect(budgets.inTheWay('s1').map(({ name }) => name)).toEqual(['shop']);
    expect(budgets.inTheWay('s2')).toEqual([]);
    kinds({ state: 'ok' });
    expect(budgets.inTheWay('s1')).toEqual([]);
  });

  it('no longer than the answer is fresh, nor with a clock set back', () => {
    const { time, budgets, kinds } = setUp();
    kinds({});
    time.nowMs += freshMs;
    expect(budgets.inTheWay('s1')).toHaveLength(1);
    time.nowMs += 1;
    expect(budgets.inTheWay('s1')).toEqual([]);
    kinds({});
    time.nowMs -= 2;
    expect(budgets.inTheWay('s1')).toEqual([]);
  });

  it("not after its period's end", () => {
    const { time, budgets, kinds } = setUp('2026-11-30T23:59:00.000Z');
    kinds({});
    time.nowMs += 59_999;
    expect(budgets.inTheWay('s1')).toHaveLength(1);
    time.nowMs += 1;
    expect(budgets.inTheWay('s1')).toEqual([]);
  });

  it('not once it is allowed, for an hour in this session', () => {
    const { time, budgets, kinds } = setUp();
    kinds({});
    budgets.allow('s1', budgets.inTheWay('s1'));
    budgets.note('s2', [budget()]);
    expect([budgets.inTheWay('s1').length, budgets.inTheWay('s2').length]).toEqual([0, 1]);
    time.nowMs += allowedMs - 1;
    kinds({});
    expect(budgets.inTheWay('s1')).toEqual([]);
    time.nowMs += 1;
    expect(budgets.inTheWay('s1')).toHaveLength(1);
  });

  it('again in another period or under another definition', () => {
    const { time, budgets, kinds } = setUp('2026-11-30T23:59:00.000Z');
    kinds({});
    budgets.allow('s1', budgets.inTheWay('s1'));
    kinds({ version: 'another' });
    expect(budgets.inTheWay('s1')).toHaveLength(1);
    time.nowMs += 120_000;
    kinds({ period: december });
    expect(budgets.inTheWay('s1')).toHaveLength(1);
  });
});
