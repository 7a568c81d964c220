import type { Budget } from '@pi-ledger/contract/answers';
import { describe, expect, it } from 'vitest';
import { billionths } from '../../../../contract/amounts.ts';
import {
  daysOf,
  formatAmount,
  formatBillionths,
  periodWords,
  scopeOf,
  verdictOf,
} from '../../../../dashboards/web/format/budget.ts';
import { clockIn } from '../../../../dashboards/web/state/today.ts';
import { budget } from './given.ts';

describe('an amount of a budget', () => {
  it.each([
    ['161.204417', 161_204_417_000n],
    ['200', 200_000_000_000n],
    ['0.000000001', 1n],
    ['0', 0n],
  ])('%s is exact', (text, nano) => expect(billionths(text)).toBe(nano));

  it('is written in its unit', () => {
    expect(formatAmount('161.204417', 'metered dollars')).toBe('$161.20');
    expect(formatAmount('0.001', 'list-price dollars')).toBe('<$0.01');
    expect(formatAmount('63123456', 'tokens')).toBe('63.1M tokens');
    expect(formatAmount('62.9', 'percent')).toBe('62 %');
    expect(formatAmount('0.4', 'percent')).toBe('<1 %');
    expect(formatBillionths(1_500_000_000n, 'metered dollars')).toBe('$1.50');
    expect(formatBillionths(20_000n * 1_000_000_000n, 'tokens')).toBe('20.0k tokens');
  });
});

describe('the state of a budget', () => {
  const forecast = (middle: string, high: string) => ({ low: '1', middle, high, basis: '' });
  const of = (some: Partial<Budget>) => verdictOf({ ...budget, forecast: null, ...some });

  it('is called as everywhere, with what the forecast adds', () => {
    expect(of({ state: 'ok' })).toEqual({ is: 'good', words: 'ok' });
    expect(of({ state: 'over', forecast: forecast('300', '400') })).toEqual({
      is: 'bad',
      words: 'over',
    });
    expect(of({ state: 'warning' })).toEqual({ is: 'warn', words: 'warning' });
    expect(of({ state: 'ok', forecast: forecast('190', '201') })?.words).toBe('may pass it');
    expect(of({ state: 'ok', forecast: forecast('190', '200') })?.words).toBe('ok');
    expect(of({ state: 'warning', forecast: forecast('200.1', '250') })).toEqual({
      is: 'warn',
      words: 'warning, likely to pass it',
    });
  });

  it('is not known where nothing says it', () => expect(of({ state: null })).toBeNull());
});

describe('what a budget is about', () => {
  const dayIn = (ms: number, zone: string) => clockIn(ms, zone).day;

  it('is its scope; without one, everything', () => {
    expect(scopeOf({ ...budget, user: 'ada', label: 'team=pay' })).toEqual([
      { word: 'project', name: 'shop' },
      { word: 'person', name: 'ada' },
      { word: 'label', name: 'team=pay' },
    ]);
    expect(scopeOf({ ...budget, project: null })).toEqual([]);
  });

  it('has its days in its own time zone', () => {
    expect(daysOf(budget, dayIn)).toEqual({ first: '2026-11-01', last: '2026-11-30' });
    const days = daysOf(budget, dayIn);
    expect(periodWords(budget, days)).toBe('November');
    const week = { first: '2026-11-16', last: '2026-11-22' };
    expect(periodWords({ per: 'week' }, week)).toMatch(/^November 16\s–\s22$/);
    expect(periodWords({ per: 'day' }, days)).toBe('today');
    expect(periodWords({ per: '5h window' }, null)).toBe('5 h window');
  });
});
