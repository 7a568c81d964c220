import { openTimeZone } from '@pi-ledger/core/time/time-zone';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sumInZone } from '../../../../collector/answers/spend/zoned.ts';
import type { Ledger } from '../../../../collector/roles/ledger.ts';
import { sessions } from '../../projections/support/bare-sessions.ts';
import { get, ledgerHomes, post } from '../../support/ledger.ts';
import { type SessionOptions, sessionEvents } from '../../support/work.ts';

const homes = ledgerHomes();

/**
 * Ada in Berlin, Bob in New York; each record costs a different power of ten, so that sums show
 * which records count.
 */
async function twoUsers(ada: readonly string[], bob: readonly string[] = []): Promise<Ledger> {
  const wish = (
    id: string,
    user: string,
    utcOffsetMinutes: number,
    times: readonly string[],
    first: number,
  ): SessionOptions => ({
    id,
    project: `${user}'s`,
    user,
    utcOffsetMinutes,
    startedAt: '2026-01-01T00:00:00.000Z',
    billing: { anthropic: 'metered' },
    turns: times.map((time, index) => ({
      time: `${time}:00.000Z`,
      nanoUsd: 10 ** (first + index),
    })),
  });
  return homes.holding(
    sessionEvents(wish('a', 'ada', 60, ada, 0)),
    sessionEvents(wish('b', 'bob', -300, bob, ada.length)),
  );
}

async function daysIn(ledger: Ledger, query: string): Promise<Record<string, string>> {
  const { rows, total } = (await get(ledger, `/v1/usage?by=day&${query}`)).json();
  const days = Object.fromEntries(
    rows.map((row: Record<string, string>) => [row.day, row.meteredNanoUsd]),
  );
  expect(total.meteredNanoUsd).toBe(
    Object.values<string>(days)
      .reduce((sum, amount) => sum + BigInt(amount), 0n)
      .toString(),
  );
  return days;
}

describe('usage in one time zone', () => {
  it('has the days of everybody there, where else each user has days of their own', async () => {
    const ledger = await twoUsers(
      ['2026-11-21T22:30', '2026-11-21T23:30'],
      ['2026-11-21T23:30', '2026-11-22T05:30'],
    );
    expect(await daysIn(ledger, '')).toEqual({ '2026-11-21': '101', '2026-11-22': '1010' });
    expect(await daysIn(ledger, 'timezone=Europe/Berlin')).toEqual({
      '2026-11-21': '1',
      '2026-11-22': '1110',
    });
    expect(await daysIn(ledger, 'timezone=America/New_York')).toEqual({
      '2026-11-21': '111',
      '2026-11-22': '1000',
    });
  });

  it.each([
    // Spring: 23 hours; autumn: 25.
    [
      'Europe/Berlin',
      ['2026-03-28T22:59', '2026-03-28T23:00', '2026-03-29T21:59', '2026-03-29T22:00'],
      { '03-28': '1', '03-29': '110', '03-30': '1000' },
    ],
    [
      'Europe/Berlin',
      ['2026-10-24T21:59', '2026-10-24T22:00', '2026-10-25T22:59', '2026-10-25T23:00'],
      { '10-24': '1', '10-25': '110', '10-26': '1000' },
    ],
    [
      'America/New_York',
      ['2026-03-08T04:59', '2026-03-08T05:00', '2026-03-09T03:59', '2026-03-09T04:00'],
      { '03-07': '1', '03-08': '110', '03-09': '1000' },
    ],
    [
      'America/New_York',
      ['2026-11-01T03:59', '2026-11-01T04:00', '2026-11-02T04:59', '2026-11-02T05:00'],
      { '10-31': '1', '11-01': '110', '11-02': '1000' },
    ],
    // Midnight within a UTC hour.
    [
      'Asia/Kolkata',
      ['2026-11-21T18:00', '2026-11-21T18:29', '2026-11-21T18:30', '2026-11-21T19:00'],
      { '11-21': '11', '11-22': '1100' },
    ],
    [
      'Asia/Kathmandu',
      ['2026-11-21T18:00', '2026-11-21T18:14', '2026-11-21T18:15', '2026-11-21T18:59'],
      { '11-21': '11', '11-22': '1100' },
    ],
    // On the half hour in winter, on the hour in summer: a day of 23.5 hours.
    [
      'Australia/Lord_Howe',
      ['2026-10-03T13:29', '2026-10-03T13:30', '2026-10-04T12:59', '2026-10-04T13:00'],
      { '10-03': '1', '10-04': '110', '10-05': '1000' },
    ],
  ])('%s: turns the day at midnight there: %j', async (name, times, expected) => {
    const days = await daysIn(await twoUsers(times), `timezone=${name}`);
    expect(days).toEqual(
      Object.fromEntries(Object.entries(expected).map(([day, amount]) => [`2026-${day}`, amount])),
    );
  });

  const minutes = [
    '2026-11-20T18:29',
    '2026-11-20T18:30',
    '2026-11-21T18:29',
    '2026-11-21T18:30',
    '2026-11-22T18:29',
    '2026-11-22T18:30',
  ];
  it.each([
    ['since=2026-11-21', '111110'],
    ['until=2026-11-21', '111'],
    ['since=2026-11-21&until=2026-11-22', '11110'],
    ['since=2026-11-22&until=2026-11-22', '11000'],
    ['since=2026-11-21T18:45:00Z', '111100'],
    ['since=2026-11-22&until=2026-11-21', '0'],
    ['since=2026-11-22&user=ada', '11000'],
    ['since=2026-11-22&user=bob', '100000'],
    ['since=2026-11-22&model=gpt-6', '0'],
  ])('means days there by %s, whatever the report is by', async (query, amount) => {
    const ledger = await twoUsers(minutes.slice(0, 5), minutes.slice(5));
    for (const by of ['project', 'user', 'session', 'tree', 'kind', 'day', 'week', 'month']) {
      const answer = await get(ledger, `/v1/usage?by=${by}&timezone=Asia/Kolkata&${query}`);
      expect([by, answer.json().total.meteredNanoUsd]).toEqual([by, amount]);
    }
  });

  it('says so when it would have to read too many sessions, and only then', async () => {
    // Around midnight in Kolkata; in the hours before and after midnight in Berlin.
    const { views } = await twoUsers(
      ['2026-11-21T18:10', '2026-11-21T22:59'],
      ['2026-11-21T18:40', '2026-11-21T23:00'],
    );
    const query = { dimensions: ['day', 'billing'], filters: [], period: {} };
    const inZone = (name: string, documentsMax: number) => {
      const zone = openTimeZone(name);
      if (zone === null) throw new Error('no zone');
      return sumInZone({ views, sessions }, { ...query, zone, documentsMax });
    };
    await expect(inZone('Asia/Kolkata', 1)).rejects.toMatchObject({
      code: 'bad_parameter',
      field: 'timezone',
      message: expect.stringContaining('Asia/Kolkata'),
    });
    await expect(inZone('Asia/Kolkata', 2)).resolves.toHaveLength(4);
    await expect(inZone('Europe/Berlin', 0)).resolves.toHaveLength(3);
  });

  it('has weeks and months there', async () => {
    // Sunday evening in UTC, Monday the 1st in Kathmandu.
    const ledger = await twoUsers(['2026-05-31T18:14', '2026-05-31T18:15']);
    const weeks = (await get(ledger, '/v1/usage?by=week&timezone=Asia/Kathmandu')).json().rows;
    expect(weeks).toMatchObject([
      { week: '2026-W22', records: 1 },
      { week: '2026-W23', records: 1 },
    ]);
    const months = (await get(ledger, '/v1/usage?by=month&timezone=Asia/Kathmandu')).json().rows;
    expect(months).toMatchObject([
      { month: '2026-05', records: 1 },
      { month: '2026-06', records: 1 },
    ]);
  });

  it('counts every record on its minute’s day there, with filters and total', async () => {
    const names = [
      'Europe/Berlin',
      'Asia/Kolkata',
      'Asia/Kathmandu',
      'Australia/Lord_Howe',
      'Pacific/Chatham',
      'America/St_Johns',
    ];
    const minute = fc
      .integer({ min: 0, max: 3 * 24 * 60 })
      .map((n) => new Date(Date.UTC(2026, 9, 3) + n * 60_000).toISOString().slice(0, 16));
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...names),
        fc.array(minute, { minLength: 1, maxLength: 12 }),
        async (name, times) => {
          const ledger = await homes.open();
          const turns = times.map((time) => ({ time: `${time}:00.000Z`, nanoUsd: 1 }));
          await post(
            ledger,
            sessionEvents({
              id: 's',
              project: 'p',
              startedAt: '2026-10-03T00:00:00.000Z',
              turns,
              billing: { anthropic: 'metered' },
            }),
          );
          const dayAt = openTimeZone(name)?.dayAt ?? (() => '');
          const expected = Map.groupBy(times, (time) => dayAt(Date.parse(`${time}Z`)));
          expect(await daysIn(ledger, `timezone=${name}`)).toEqual(
            Object.fromEntries([...expected].map(([day, of]) => [day, String(of.length)])),
          );
          const [first = ''] = [...expected.keys()].toSorted();
          const within = (
            await get(ledger, `/v1/usage?timezone=${name}&since=${first}&until=${first}`)
          ).json();
          expect(within.total.records).toBe(expected.get(first)?.length);
        },
      ),
      { numRuns: 25 },
    );
  });
});
