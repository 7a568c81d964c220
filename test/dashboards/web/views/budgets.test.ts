import type { QuotaWindow } from '@pi-ledger/contract/answers';
import { describe, expect, it } from 'vitest';
import {
  leavesOut,
  rateOf,
  stateOf,
  timeShare,
} from '../../../../dashboards/web/views/budgets/windows.ts';

const hourMs = 3_600_000;
const startMs = Date.parse('2026-11-22T16:00:00.000Z');
const window: QuotaWindow = {
  user: 'ada',
  provider: 'anthropic',
  window: 'unified-5h',
  name: '5 h',
  windowMs: 5 * hourMs,
  source: 'provider',
  toldAt: '2026-11-22T18:00:00.000Z',
  machine: null,
  session: null,
  status: 'allowed',
  starts: null,
  unit: null,
  used: null,
  limit: null,
  usedShare: 0.5,
  isAtLeast: false,
  startsAt: '2026-11-22T16:00:00.000Z',
  isStartEstimated: false,
  endsAt: '2026-11-22T21:00:00.000Z',
  fullAt: null,
  unpricedRecords: 0,
  unreportedRecords: 0,
  unknownBillingRecords: 0,
  worth: null,
};

describe('a quota window', () => {
  it('has a tick at how much of it is over, within it, and none where it has no begin', () => {
    expect(timeShare(window, startMs + hourMs)).toBe(0.2);
    expect(timeShare(window, startMs + 9 * hourMs)).toBe(1);
    expect(timeShare({ ...window, startsAt: null }, startMs)).toBeNull();
  });

  it('has a rate up to when it was told: of an hour, or of a day in a long one', () => {
    expect(rateOf(window, startMs + 4 * hourMs)).toEqual({ percent: 25, per: 'an hour' });
    expect(rateOf({ ...window, toldAt: null }, startMs + 4 * hourMs)?.percent).toBe(12.5);
    const week = { ...window, windowMs: 7 * 24 * hourMs, toldAt: '2026-11-24T16:00:00.000Z' };
    expect(rateOf(week, 0)).toEqual({ percent: 25, per: 'a day' });
    expect(rateOf({ ...window, usedShare: null }, startMs)).toBeNull();
    expect(rateOf({ ...window, toldAt: '2026-11-22T16:01:00.000Z' }, startMs)).toBeNull();
  });

  it('is full, will be, is warned of, has room, or is not known', () => {
    expect(stateOf({ ...window, status: 'rejected' })?.words).toBe('full');
    expect(stateOf({ ...window, usedShare: 1 })?.is).toBe('bad');
    expect(stateOf({ ...window, fullAt: window.endsAt })?.words).toBe('full before it ends');
    expect(stateOf({ ...window, status: 'allowed_warning' })?.words).toBe('the provider warns');
    expect(stateOf(window)?.is).toBe('good');
    expect(stateOf({ ...window, usedShare: null })).toBeNull();
  });

  it('says what its sum leaves out', () => {
    expect(leavesOut(window)).toBeNull();
    expect(leavesOut({ ...window, unpricedRecords: 2, unknownBillingRecords: 1 })).toBe(
      'leaves out 2 without a price, 1 of unknown billing',
    );
  });
});
