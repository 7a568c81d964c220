import { describe, expect, it } from 'vitest';
import { createSessions, sessions } from '../../../collector/projections/sessions.ts';
import { usage } from '../../../collector/projections/usage.ts';
import { fold } from './fold.ts';
import { attributed, turn } from './given.ts';

describe('usage: when it is', () => {
  const rowsOf = (...given: Parameters<typeof fold>[1]) => fold(sessions, given).sums(usage, 'nanoUsd', 'hour', 'day');

  it('has the hour in UTC and the day on the spender’s wall', () => {
    expect(
      rowsOf(
        attributed('2026-11-22T00:00:00.000Z', { user: 'ada', offset: 60 }, 'berlin'),
        attributed('2026-11-22T00:00:00.000Z', { user: 'grace', offset: -300 }, 'new york'),
        turn('2026-11-22T23:30:00.000Z', { costNanoUsd: 1 }, 'berlin'),
        turn('2026-11-22T23:30:00.000Z', { costNanoUsd: 10 }, 'new york'),
        turn('2026-11-23T04:59:59.999Z', { costNanoUsd: 100 }, 'new york'),
        turn('2026-11-23T05:00:00.000Z', { costNanoUsd: 1_000 }, 'new york'),
      ),
    ).toEqual({
      '2026-11-22T23,2026-11-22': 10n,
      '2026-11-22T23,2026-11-23': 1n,
      '2026-11-23T04,2026-11-22': 100n,
      '2026-11-23T05,2026-11-23': 1_000n,
    });
  });

  it('changes the offset within a session when the clocks change', () => {
    expect(
      rowsOf(
        attributed('2026-10-24T20:00:00.000Z', { offset: 120 }),
        turn('2026-10-24T22:30:00.000Z', { costNanoUsd: 1 }),
        attributed('2026-10-25T01:00:00.000Z', { offset: 60 }),
        turn('2026-10-25T22:30:00.000Z', { costNanoUsd: 10 }),
        turn('2026-10-25T23:30:00.000Z', { costNanoUsd: 100 }),
      ),
    ).toEqual({
      '2026-10-24T22,2026-10-25': 1n,
      '2026-10-25T22,2026-10-25': 10n,
      '2026-10-25T23,2026-10-26': 100n,
    });
  });

  it.each([
    ['Kathmandu', 345, '18:15'],
    ['Adelaide', 570, '14:30'],
    ['Marquesas', -570, '09:30'],
    ['Kiritimati', 840, '10:00'],
  ])('turns the day at midnight in %s, within a UTC hour if need be', (_place, offset, midnight) => {
    const given = [attributed('2026-11-22T00:00:00.000Z', { offset })];
    const atMidnight = Date.parse(`2026-11-22T${midnight}:00.000Z`);
    given.push(
      turn(new Date(atMidnight - 1).toISOString(), { costNanoUsd: 1 }),
      turn(new Date(atMidnight).toISOString(), { costNanoUsd: 10 }),
    );
    const days = fold(sessions, given).sums(usage, 'nanoUsd', 'day');
    const [before, after] = Object.keys(days);
    expect(Object.values(days)).toEqual([1n, 10n]);
    expect(Date.parse(`${after}T00:00:00Z`) - Date.parse(`${before}T00:00:00Z`)).toBe(86_400_000);
  });

  it('knows leap days, year ends and times before 1970', () => {
    const given = [
      '2028-02-29T23:59:59.999Z',
      '2027-12-31T23:59:59.999Z',
      '2028-03-01T00:00:00.000Z',
      '1969-12-31T23:59:00.000Z',
      '0000-02-29T00:00:00.000Z',
    ];
    expect(Object.keys(rowsOf(...given.map((at) => turn(at)))).toSorted()).toEqual(
      given.map((at) => `${at.slice(0, 13)},${at.slice(0, 10)}`).toSorted(),
    );
  });

  it('goes over to quarters of an hour in a session with too many minutes, and every hour, day and sum stays right', () => {
    const small = createSessions({ attributionsMax: 10, cellsMax: 4, toolNamesMax: 10 });
    const given = [
      attributed('2026-11-22T17:00:00.000Z', { offset: 345 }),
      ...['18:00', '18:01', '18:14', '18:15', '18:16', '18:59', '19:00'].map((time, index) =>
        turn(`2026-11-22T${time}:00.000Z`, { costNanoUsd: 10 ** index }),
      ),
    ];
    const coarse = fold(small, given);
    expect(coarse.states.get('s1')?.spending).toMatchObject({ cellMinutes: 15, cells: 4 });
    expect(coarse.rows(usage, 'hour', 'day')).toEqual(fold(sessions, given).rows(usage, 'hour', 'day'));
    expect(coarse.sums(usage, 'nanoUsd', 'day')).toEqual({ '2026-11-22': 111n, '2026-11-23': 1_111_000n });
  });
});
