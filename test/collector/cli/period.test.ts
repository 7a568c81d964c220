import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../collector/cli/command.ts';
import { resolveMoment, resolvePeriod } from '../../../collector/cli/period.ts';

const now = new Date(2026, 10, 22, 14, 30);

describe('--since and --until', () => {
  it.each([
    ['2026-11-01', '2026-11-01'],
    ['today', '2026-11-22'],
    ['yesterday', '2026-11-21'],
    ['7d', '2026-11-15'],
    ['22d', '2026-10-31'],
  ])('%s is the day %s', (text, day) => {
    expect(resolveMoment('since', text, now)).toBe(day);
  });

  it.each([
    ['today', 'Pacific/Kiritimati', '2026-11-23'],
    ['yesterday', 'Pacific/Kiritimati', '2026-11-22'],
    ['today', 'Pacific/Honolulu', '2026-11-22'],
    ['23d', 'Europe/Berlin', '2026-10-30'],
  ])('%s in %s is the day %s', (text, zone, day) => {
    expect(resolveMoment('since', text, new Date('2026-11-22T14:30:00Z'), zone)).toBe(day);
  });

  it('takes hours and instants as instants in UTC', () => {
    expect(resolveMoment('since', '24h', now)).toBe(
      new Date(now.getTime() - 86_400_000).toISOString(),
    );
    expect(resolveMoment('since', '2026-11-22T14:00:00+02:00', now)).toBe(
      '2026-11-22T12:00:00.000Z',
    );
  });

  it.each([
    '',
    'soon',
    '2026-13-01',
    '2026-02-30',
    '2026-02-30T10:00:00Z',
    '7',
    'd',
    '22/11/2026',
    '2026-11-22Tnoon',
  ])('refuses "%s" and names the option', (text) => {
    expect(() => resolveMoment('until', text, now)).toThrow(UsageError);
    expect(() => resolveMoment('until', text, now)).toThrow(/^--until: /);
  });
});

describe('a period', () => {
  const at = new Date('2026-11-22T14:30:00Z');

  it.each([
    ['2026-11-20', '2026-11-10'],
    ['2026-11-20T10:00:00Z', '2026-11-20T09:00:00Z'],
    ['2026-11-21T12:00:00Z', '2026-11-20'],
    ['2026-11-20', '2026-11-19T10:00:00Z'],
  ])('from %s to %s is refused', (since, until) => {
    expect(() => resolvePeriod({ since, until }, at)).toThrow(/^--since .* is after --until /);
  });

  it.each([
    ['2026-11-20', '2026-11-20'],
    // Somebody's 20 November lasts until noon of the next day in UTC, or begins at ten before.
    ['2026-11-21T11:59:00Z', '2026-11-20'],
    ['2026-11-20', '2026-11-19T10:01:00Z'],
    ['7d', 'today'],
  ])('from %s to %s is one', (since, until) => {
    expect(resolvePeriod({ since, until }, at)).toMatchObject({ since: expect.any(String) });
  });

  it.each(['2026-12-24', '2026-11-22T14:31:00Z'])(
    'from %s on is refused: it is in the future',
    (since) => {
      expect(() => resolvePeriod({ since }, at)).toThrow(/^--since .* is in the future/);
    },
  );

  it('may begin on a day that has begun somewhere', () => {
    expect(resolvePeriod({ since: '2026-11-23' }, at)).toEqual({ since: '2026-11-23' });
  });
});
