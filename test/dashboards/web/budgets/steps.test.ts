import { figuresExample, type UsageRow } from '@pi-ledger/contract/answers';
import { describe, expect, it } from 'vitest';
import { stepsAsk } from '../../../../dashboards/web/views/budgets/asks.ts';
import { chartedOf } from '../../../../dashboards/web/views/budgets/charted.ts';
import { ofSteps } from '../../../../dashboards/web/views/budgets/readout.ts';
import {
  lineBefore,
  lineOf,
  stepsOf,
  stepsOver,
  sumsOf,
} from '../../../../dashboards/web/views/budgets/steps.ts';
import { budget } from './given.ts';

const usd = (dollars: number) => String(dollars * 1_000_000_000);
const row = (day: string, metered: number, subscription = 0): UsageRow => ({
  ...figuresExample,
  day,
  meteredNanoUsd: usd(metered),
  subscriptionNanoUsd: usd(subscription),
});

describe('the steps of a budget', () => {
  it('are the days of the month in its time zone, and those of the month before', () => {
    const steps = stepsOf(budget);
    expect(steps).toMatchObject({ by: 'day', since: '2026-10-01', until: '2026-11-30' });
    expect([steps?.now.length, steps?.now[0], steps?.before.length]).toEqual([
      30,
      '2026-11-01',
      31,
    ]);
    expect(steps && stepsAsk({ ...budget, label: 'team=pay' }, steps).url).toBe(
      '/v1/usage?by=day&since=2026-10-01&until=2026-11-30&timezone=Europe%2FBerlin&limit=1000' +
        '&project=shop&label=team%3Dpay',
    );
  });

  it('are the days of a week, the hours of a day', () => {
    const week = { start: '2026-11-15T23:00:00.000Z', end: '2026-11-22T23:00:00.000Z' };
    expect(stepsOf({ ...budget, per: 'week', period: week })).toMatchObject({
      since: '2026-11-09',
      now: expect.objectContaining({ length: 7, 0: '2026-11-16' }),
    });
    const sprint = { start: '2026-11-01T23:00:00.000Z', end: '2026-11-15T23:00:00.000Z' };
    expect(stepsOf({ ...budget, per: '14 days', period: sprint })).toMatchObject({
      ...{ by: 'day', since: '2026-10-19', until: '2026-11-15' },
      now: expect.objectContaining({ length: 14, 0: '2026-11-02' }),
      before: expect.objectContaining({ length: 14, 0: '2026-10-19' }),
    });
    // The clocks go back: the day has an hour more.
    const day = { start: '2026-10-24T22:00:00.000Z', end: '2026-10-25T23:00:00.000Z' };
    const hours = stepsOf({ ...budget, per: 'day', period: day });
    expect([hours?.by, hours?.since, hours?.until]).toEqual(['hour', '2026-10-24', '2026-10-25']);
    expect([hours?.now.length, hours?.now[0]]).toEqual([25, '2026-10-24T22:00:00.000Z']);
  });

  it('are none for windows, and where no period is known', () => {
    expect(stepsOf({ ...budget, per: '5h window', unit: 'percent' })).toBeNull();
    expect(stepsOf({ ...budget, period: null })).toBeNull();
  });
});

describe('what a budget came to', () => {
  const rows = [row('2026-11-02', 3, 50), row('2026-11-01', 1, 20), row('2026-11-04', 5)];
  const days = ['2026-11-01', '2026-11-02', '2026-11-03', '2026-11-04'];

  it('adds one kind of money alone, or tokens', () => {
    const of = (unit: 'metered dollars' | 'list-price dollars') =>
      sumsOf(days, rows, unit).map((sum) => Number(sum / 1_000_000_000n));
    expect(of('metered dollars')).toEqual([1, 4, 4, 9]);
    expect(of('list-price dollars')).toEqual([20, 70, 70, 70]);
    const one = { ...row('2026-11-01', 9), inputTokens: 1, outputTokens: 2 };
    const tokens = { ...one, cacheReadTokens: 3, cacheWriteTokens: 4 };
    expect(sumsOf(['2026-11-01'], [tokens], 'tokens')).toEqual([10_000_000_000n]);
  });

  it('ends with what the budget says is used now', () => {
    const sums = sumsOf(days, rows, 'metered dollars');
    expect(lineOf(sums, 1.5, '3.5')).toEqual([
      { x: 0, y: 0 },
      { x: 1, y: 1 },
      { x: 1.5, y: 3.5 },
    ]);
    expect(lineBefore(sums, 2)).toEqual([
      { x: 0, y: 0 },
      { x: 1, y: 1 },
      { x: 2, y: 4 },
    ]);
  });

  it('knows how far its period has come', () => {
    const period = { start: '2026-11-01T00:00:00.000Z', end: '2026-11-03T00:00:00.000Z' };
    const over = (iso: string) => stepsOver(2, period, Date.parse(iso));
    expect(over('2026-11-02T12:00:00.000Z')).toBe(1.5);
    expect([over('2026-10-01T00:00:00.000Z'), over('2026-12-01T00:00:00.000Z')]).toEqual([0, 2]);
  });

  it('is said for a step, with the period before; not for what is not over', () => {
    const sums = sumsOf(days, rows, 'metered dollars');
    const said = ofSteps({
      ...{ sums, before: [7_000_000_000n], over: 1.5 },
      ...{ unit: 'metered dollars', beforeWords: 'October' },
    });
    expect(said(0)).toBe('$1.00, $1.00 until then; October $7.00');
    expect(said(1)).toBe('$3.00, $4.00 until then');
    expect(said(2)).toBe('not yet');
  });
});

describe('the budget that has the chart', () => {
  const today = { start: '2026-11-21T23:00:00.000Z', end: '2026-11-22T23:00:00.000Z' };
  const day = { ...budget, name: 'day', per: 'day' as const, period: today, usedShare: 3 };
  const most = { ...budget, name: 'most', usedShare: 0.9 };
  const window = { ...budget, name: 'window', per: '5h window' as const, usedShare: 9 };

  it('is the one of the URL, or that of the longest period of which most is used', () => {
    const of = (name?: string) => chartedOf([day, budget, window, most], name)?.budget.name;
    expect([of(), of('day'), of('window'), of('none')]).toEqual(['most', 'day', 'most', 'most']);
    expect(chartedOf([window], undefined)).toBeNull();
  });
});
