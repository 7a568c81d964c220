import { describe, expect, it } from 'vitest';
import { noRules } from '../../../collector/projections/rules.ts';
import { createSessions } from '../../../collector/projections/sessions.ts';
import { usage } from '../../../collector/projections/usage.ts';
import { sessions } from './support/bare-sessions.ts';
import { fold } from './support/fold.ts';
import { attributed, limitsWide, turn } from './support/given.ts';

describe('usage: when it is', () => {
  const rowsOf = (...given: Parameters<typeof fold>[1]) =>
    fold(sessions, given).sums(usage, 'nanoUsd', 'hour', 'day');

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

  /**
   * A dollar-tenth every half hour from midnight to midnight in Berlin, and one before and after.
   */
  function halfHours(
    from: string,
    to: string,
  ): { readonly times: string[]; readonly outside: string[] } {
    const [first, end] = [Date.parse(from), Date.parse(to)];
    const times = Array.from({ length: (end - first) / 1_800_000 }, (_, index) =>
      new Date(first + index * 1_800_000).toISOString(),
    );
    return { times, outside: [new Date(first - 1).toISOString(), new Date(end).toISOString()] };
  }

  it.each([
    [
      '23 hours, when the clocks go forward',
      '2026-03-28T23:00:00.000Z',
      '2026-03-29T22:00:00.000Z',
      '2026-03-29T01:00:00.000Z',
      60,
      120,
      46n,
    ],
    [
      '25 hours, when the clocks go back',
      '2026-10-24T22:00:00.000Z',
      '2026-10-25T23:00:00.000Z',
      '2026-10-25T01:00:00.000Z',
      120,
      60,
      50n,
    ],
  ])('has a day of %s', (_name, from, to, change, before, after, records) => {
    const { times, outside } = halfHours(from, to);
    const given = [
      attributed(new Date(Date.parse(from) - 3_600_000).toISOString(), { offset: before }),
      attributed(change, { offset: after }),
      ...[...times, ...outside].map((time) => turn(time)),
    ];
    const [day, ...others] = Object.entries(
      fold(sessions, given).sums(usage, 'records', 'day'),
    ).toSorted(([, left], [, right]) => (left > right ? -1 : 1));
    expect(day).toEqual([
      new Date(Date.parse(from) + 43_200_000).toISOString().slice(0, 10),
      records,
    ]);
    expect(others.map(([, count]) => count)).toEqual([1n, 1n]);
    expect(fold(sessions, given.toReversed()).sums(usage, 'records', 'day')).toEqual(
      fold(sessions, given).sums(usage, 'records', 'day'),
    );
  });

  it('moves what was counted under the old offset when the new one is learned late', () => {
    const given = [
      attributed('2026-10-24T20:00:00.000Z', { offset: 120 }),
      turn('2026-10-25T22:30:00.000Z', { costNanoUsd: 10 }),
      attributed('2026-10-25T01:00:00.000Z', { offset: 60 }),
    ];
    expect(rowsOf(...given.slice(0, 2))).toEqual({ '2026-10-25T22,2026-10-26': 10n });
    expect(rowsOf(...given)).toEqual({ '2026-10-25T22,2026-10-25': 10n });
  });

  it('is each user’s own in two zones, and a traveller’s where each part was spent', () => {
    const time = '2026-11-22T02:30:00.000Z';
    const given = [
      attributed('2026-11-22T00:00:00.000Z', { user: 'ada', offset: 60 }, 'berlin'),
      attributed('2026-11-22T00:00:00.000Z', { user: 'grace', offset: -480 }, 'portland'),
      turn(time, { costNanoUsd: 1 }, 'berlin'),
      turn(time, { costNanoUsd: 10 }, 'portland'),
      attributed('2026-11-22T12:00:00.000Z', { user: 'ada', offset: -480 }, 'berlin'),
      turn('2026-11-23T02:30:00.000Z', { costNanoUsd: 100 }, 'berlin'),
    ];
    expect(fold(sessions, given).sums(usage, 'nanoUsd', 'user', 'day')).toEqual({
      'ada,2026-11-22': 101n,
      'grace,2026-11-21': 10n,
    });
  });

  it.each([
    ['Kathmandu', 345, '18:15'],
    ['Adelaide', 570, '14:30'],
    ['Marquesas', -570, '09:30'],
    ['Kiritimati', 840, '10:00'],
  ])(
    'turns the day at midnight in %s, within a UTC hour if need be',
    (_place, offset, midnight) => {
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
    },
  );

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

  it('switches to quarters of an hour with too many minutes, and stays exact', () => {
    const small = createSessions(noRules, {
      ...limitsWide,
      attributionsMax: 10,
      cellsMax: 4,
      toolNamesMax: 10,
    });
    const given = [
      attributed('2026-11-22T17:00:00.000Z', { offset: 345 }),
      ...['18:00', '18:01', '18:14', '18:15', '18:16', '18:59', '19:00'].map((time, index) =>
        turn(`2026-11-22T${time}:00.000Z`, { costNanoUsd: 10 ** index }),
      ),
    ];
    const coarse = fold(small, given);
    expect(coarse.states.get('s1')?.spending).toMatchObject({ cellMinutes: 15, cells: 4 });
    expect(coarse.rows(usage, 'hour', 'day')).toEqual(
      fold(sessions, given).rows(usage, 'hour', 'day'),
    );
    expect(coarse.sums(usage, 'nanoUsd', 'day')).toEqual({
      '2026-11-22': 111n,
      '2026-11-23': 1_111_000n,
    });
  });
});
