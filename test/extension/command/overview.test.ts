/** What `/ledger` says with the collector's answer, without one, and while it waits. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentOverview, AgentSpent } from '@pi-ledger/contract/answers';
import { beforeAll, describe, expect, it } from 'vitest';
import { readOverview } from '../../../extension/command/asking/overview.ts';
import {
  type AskState,
  briefBudgetLines,
  briefTodayLines,
  budgetLines,
  projectTodayText,
  subagentLines,
  todayLines,
} from '../../../extension/command/overview.ts';
import { localDay } from '../../../extension/live/day-totals.ts';
import { temporaryDirectory } from '../../collector/support/directory.ts';
import { budget } from './budgets/given.ts';

const nothing = { records: 0, nanoUsd: '0', unpricedRecords: 0, unreportedRecords: 0 };
const none: AgentSpent = { metered: nothing, subscription: nothing, unknown: nothing };

function metered(nanoUsd: string, more: Partial<AgentSpent['metered']> = {}): AgentSpent {
  return { ...none, metered: { ...nothing, records: 3, nanoUsd, ...more } };
}

const said: AgentOverview = {
  user: 'ada',
  session: {
    id: 's1',
    project: 'shop',
    user: 'ada',
    isIgnored: false,
    spent: metered('420000000'),
    claimed: metered('50000000'),
    subagents: { sessions: 2, isAtLeast: false, spent: metered('100000000') },
  },
  projectToday: metered('1200000000'),
  today: { ...metered('6100000000'), subscription: { ...nothing, records: 1, nanoUsd: '2' } },
  month: metered('0', { unpricedRecords: 3 }),
  budgets: [],
  budgetsLeftOut: [],
  isBehind: false,
  importing: null,
  leftOut: { files: 0, count: 0 },
};

function asked(more: Partial<AgentOverview> = {}): AskState {
  const overview = readOverview(JSON.parse(JSON.stringify({ ...said, ...more })));
  if (overview === null) throw new Error('not read');
  return { is: 'overview', overview };
}

/** On a home where a collector ran that is typed `pi-ledger`. */
const home = temporaryDirectory();
beforeAll(() => {
  const noted = { command: 'pi-ledger', program: import.meta.filename };
  writeFileSync(join(home, 'command.json'), JSON.stringify(noted));
});
const linesOfToday = (answer: AskState) => todayLines(answer, home);

describe("the collector's part of /ledger", () => {
  it('shows the sums, each kind of billing for itself', () => {
    expect(linesOfToday(asked())).toEqual([
      'Today, all projects (ada): $6.1000 + <$0.0001 at list price (subscription)',
      'This month, all projects (ada): n/a · 3 unpriced',
    ]);
    expect(projectTodayText(asked())).toBe('$1.2000');
  });

  it('is short in /ledger itself: one line of sums, the two fullest budgets', () => {
    expect(briefTodayLines(asked(), home)).toEqual([
      'Today, all projects (ada): $6.1000 + <$0.0001 at list price (subscription); ' +
        'this month: n/a · 3 unpriced',
    ]);
    const budgets = [
      budget({ name: 'low', usedShare: 0.1 }),
      budget({ name: 'over', usedShare: 1.2 }),
      budget({ name: 'unknown', used: null, usedShare: null }),
      budget({ name: 'high', usedShare: 0.9 }),
    ];
    const whole = asked();
    if (whole.is !== 'overview') throw new Error('no overview');
    const { overview } = whole;
    const lines = briefBudgetLines({ is: 'overview', overview: { ...overview, budgets } });
    const [first, second, ...rest] = lines;
    expect(first).toMatch(/^Budget over, .*(?<! more: \/ledger budgets)$/);
    expect(second).toMatch(/^Budget high, .* · 2 more: \/ledger budgets$/);
    expect(rest).toEqual([]);
    expect(briefBudgetLines(asked())).toEqual([]);
  });

  it('shows subagents beside the session, with what is only claimed of them', () => {
    expect(subagentLines(asked())).toEqual([
      'Subagents: 2 with $0.1000, not in the session',
      'Subagents that recorded nothing, by what tools say of them: $0.0500, not in the session',
    ]);
    const session = { ...said.session, claimed: null, subagents: { sessions: 0, spent: none } };
    expect(subagentLines(asked({ session: session as AgentOverview['session'] }))).toEqual([]);
  });

  it('shows budgets in their own unit, with what is not known', () => {
    const shop = { name: 'shop', per: 'month', unit: 'metered dollars', limit: '200' };
    const known = { used: '171.5533', usedShare: 0.8577, isAtLeast: true, state: 'warning' };
    const plan = { ...shop, ...known, name: 'plan', unit: 'list-price dollars', isAtLeast: false };
    const week = { name: 'week', per: 'week window', unit: 'percent', limit: '80', used: null };
    const all = { ...shop, name: 'all', unit: 'tokens', limit: '1000000', state: 'ok' };
    const budgets = [
      { ...shop, ...known },
      { ...plan, used: '1234.56789' },
      { ...week, usedShare: null, isAtLeast: false, state: null },
      { ...all, used: '999999', usedShare: 0.999_999, isAtLeast: false },
    ];
    const overview = readOverview({ ...said, budgets });
    if (overview === null) throw new Error('not read');
    expect(budgetLines({ is: 'overview', overview })).toEqual([
      'Budget shop, month: ≥ $171.55 of $200.00 (≥ 85 %) · warning',
      'Budget plan, month: $1,234.57 at list price of $200.00 at list price (85 %) · warning',
      'Budget week, week window: n/a of 80 %',
      'Budget all, month: 999,999 tokens of 1,000,000 tokens (99 %) · ok',
    ]);
  });

  it('reads what a notice by forecast expected of a budget', () => {
    const shop = { name: 'shop', per: 'month', unit: 'metered dollars', limit: '200' };
    const expectedIn = (crossings: unknown) =>
      readOverview({ ...said, budgets: [{ ...shop, crossings }] })?.budgets[0]?.expected;
    const forecast = { low: '190.1', middle: '214.75', high: '251.03', fullAt: '' };
    expect(expectedIn([{ forecast: null }, { to: 'forecast', forecast }])).toBe('214.75');
    expect(expectedIn([{ to: 'warning', forecast: null }])).toBeNull();
    expect(expectedIn(undefined)).toBeNull();
    expect(expectedIn(['odd', { forecast: 'odd' }])).toBeNull();
  });

  it('marks sums that still grow, and says why they do', () => {
    const importing = {
      isRunning: true,
      files: 149,
      filesToRead: 600,
      bytes: 1,
      bytesToRead: 2,
      startedAt: '2026-11-22T10:00:00.000Z',
      at: '2026-11-22T10:00:00.000Z',
    };
    expect(linesOfToday(asked({ user: null, today: none, importing }))).toEqual([
      'Today, all projects: $0.0000…',
      'This month, all projects: n/a… · 3 unpriced',
      '  … importing: 149 of 600 files; sums grow until then',
    ]);
    expect(linesOfToday(asked({ isBehind: true })).at(-1)).toContain('not counted everything yet');
  });

  it('says that lines were not read, which no sum has', () => {
    const [line] = linesOfToday(asked({ leftOut: { files: 1, count: 1_200 } })).slice(2);
    expect(line).toBe(
      '  1,200 unreadable lines of session files may hold spend: in no sum; `pi-ledger import` ' +
        'lists them',
    );
    expect(linesOfToday(asked({ leftOut: null }))).toEqual(linesOfToday(asked()));
  });

  it('says what is not known, and why', () => {
    expect(linesOfToday({ is: 'asking' })).toEqual([
      'Today, this month, subagents and budgets: asking the collector …',
    ]);
    expect(linesOfToday({ is: 'none', why: 'no collector answers (ECONNREFUSED)' })).toEqual([
      'Today, this month, subagents and budgets: not known: no collector answers (ECONNREFUSED)',
    ]);
    expect(linesOfToday(asked({ session: null, projectToday: null })).at(-1)).toContain(
      'does not know this session',
    );
    expect(projectTodayText(asked({ projectToday: null }))).toBeNull();
  });

  it('takes no answer without an amount for $0', () => {
    for (const body of [null, [], 'x', {}, { ...said, today: {} }, { ...said, month: undefined }])
      expect(readOverview(body)).toBeNull();
    const broken = { ...none, metered: { ...nothing, nanoUsd: '-1' } };
    expect(readOverview({ ...said, today: broken })).toBeNull();
  });

  it("asks for the day of this machine's zone", () => {
    expect(localDay(new Date(2026, 0, 2, 0, 5).getTime())).toBe('2026-01-02');
    expect(localDay(new Date(2026, 11, 31, 23, 55).getTime())).toBe('2026-12-31');
  });
});
