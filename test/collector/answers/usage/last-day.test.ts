/** The last day on which a row of a report has spend. */
import { describe, expect, it } from 'vitest';
import { attributed, turn } from '../../projections/support/given.ts';
import { get, ledgerHomes, post } from '../../support/ledger.ts';

const homes = ledgerHomes();
const at = (day: number, time = '12:00') => `2026-11-${day}T${time}:00.000Z`;

const given = [
  attributed(at(10), { project: 'shop', branch: 'main' }),
  turn(at(12), {}),
  turn(at(11), {}),
  attributed(at(13), { project: 'shop', branch: 'pr/12' }),
  turn(at(14, '20:00'), {}),
  attributed(at(10), { project: 'blog', branch: 'main' }, 's2'),
  turn(at(15), {}, 's2'),
  turn(at(16), { model: 'other' }, 's2'),
];

async function daysBy(query: string): Promise<Record<string, string | undefined>> {
  const ledger = await homes.open();
  await post(ledger, given);
  const { by, rows } = (await get(ledger, `/v1/usage?${query}`)).json();
  return Object.fromEntries(
    rows.map((row: Record<string, string>) => [
      by.map((name: string) => row[name]).join(' '),
      row.lastDay,
    ]),
  );
}

describe('the last day of a row', () => {
  it.each([
    ['by=project', { shop: '2026-11-14', blog: '2026-11-16' }],
    ['by=branch', { main: '2026-11-16', 'pr/12': '2026-11-14' }],
    [
      'by=project,branch',
      { 'shop main': '2026-11-12', 'shop pr/12': '2026-11-14', 'blog main': '2026-11-16' },
    ],
    ['by=pr', { 'shop:main': '2026-11-12', 'shop:pr/12': '2026-11-14', 'blog:main': '2026-11-16' }],
  ])('is the newest of its own, by any groupings: %s', async (query, expected) => {
    expect(await daysBy(`${query}&lastDay=include`)).toEqual(expected);
  });

  it('is the newest within the filters, the period and the time zone', async () => {
    const days = (query: string) => daysBy(`by=project&lastDay=include&${query}`);
    expect(await days('model=other')).toEqual({ blog: '2026-11-16' });
    expect(await days('until=2026-11-13')).toEqual({ shop: '2026-11-12' });
    expect(await days('timezone=Asia/Kolkata')).toEqual({ shop: '2026-11-15', blog: '2026-11-16' });
  });

  it('is in rows by time not there, nor without being asked for', async () => {
    expect(Object.values(await daysBy('by=day&lastDay=include'))).toEqual(Array(5).fill(undefined));
    expect(await daysBy('by=project')).toEqual({ shop: undefined, blog: undefined });
  });
});
