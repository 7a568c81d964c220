/** How many sessions are in a row of a report. */
import { describe, expect, it } from 'vitest';
import { attributed, turn } from '../../projections/support/given.ts';
import { guardedLedgers } from '../../support/guarded.ts';
import { get, ledgerHomes, post } from '../../support/ledger.ts';

const homes = ledgerHomes();
const guarded = guardedLedgers();
const at = (day: number, time = '12:00') => `2026-11-${day}T${time}:00.000Z`;

const given = [
  attributed(at(10), { project: 'shop', branch: 'main' }, 's1'),
  turn(at(12), {}, 's1'),
  turn(at(11), {}, 's1'),
  attributed(at(13), { project: 'blog', branch: 'main' }, 's1'),
  turn(at(14), {}, 's1'),
  attributed(at(10), { project: 'blog', branch: 'draft' }, 's2'),
  turn(at(14), {}, 's2'),
  turn(at(16), { model: 'other' }, 's2'),
];

async function countsBy(query: string) {
  const ledger = await homes.open();
  await post(ledger, given);
  const { by, rows, total } = (await get(ledger, `/v1/usage?${query}`)).json();
  const counts = rows.map((row: Record<string, string>) => [
    by.map((name: string) => row[name]).join(' '),
    row.sessions,
  ]);
  return { rows: Object.fromEntries(counts), total: total.sessions };
}

describe('the sessions of a row', () => {
  it.each([
    ['by=project', { shop: 1, blog: 2 }],
    ['by=branch', { main: 1, draft: 1 }],
    ['by=project,branch', { 'shop main': 1, 'blog main': 1, 'blog draft': 1 }],
    ['by=day', { '2026-11-11': 1, '2026-11-12': 1, '2026-11-14': 2, '2026-11-16': 1 }],
    [
      'by=hour',
      {
        '2026-11-11T12:00:00Z': 1,
        '2026-11-12T12:00:00Z': 1,
        '2026-11-14T12:00:00Z': 2,
        '2026-11-16T12:00:00Z': 1,
      },
    ],
    ['by=week', { '2026-W46': 2, '2026-W47': 1 }],
    ['by=session', { s1: 1, s2: 1 }],
    ['by=tree', { s1: 1, s2: 1 }],
    ['by=pr', { 'shop:main': 1, 'blog:main': 1, 'blog:draft': 1 }],
  ])('are counted once each, %s, and once in the total', async (query, rows) => {
    expect(await countsBy(`${query}&sessions=include`)).toEqual({ rows, total: 2 });
  });

  it('are those with spend within the filters, the period and the time zone', async () => {
    const counts = (query: string) => countsBy(`by=project&sessions=include&${query}`);
    expect(await counts('model=other')).toEqual({ rows: { blog: 1 }, total: 1 });
    expect(await counts('until=2026-11-12')).toEqual({ rows: { shop: 1 }, total: 1 });
    expect(await counts('timezone=Asia/Kolkata')).toEqual({
      rows: { shop: 1, blog: 2 },
      total: 2,
    });
    expect(await counts('timezone=Europe/Berlin&until=2026-11-12')).toEqual({
      rows: { shop: 1 },
      total: 1,
    });
    expect(await counts('timezone=Asia/Kolkata&since=2026-11-15')).toEqual({
      rows: { blog: 1 },
      total: 1,
    });
    expect(await countsBy('by=day&sessions=include&timezone=Pacific/Auckland')).toEqual({
      rows: { '2026-11-12': 1, '2026-11-13': 1, '2026-11-15': 2, '2026-11-17': 1 },
      total: 2,
    });
  });

  it('are a column of the CSV, and there only if asked for', async () => {
    const ledger = await homes.open();
    await post(ledger, given);
    const head = async (query: string) =>
      (await get(ledger, `/v1/usage?by=project&format=csv${query}`)).text.split(',').slice(0, 2);
    expect(await head('&sessions=include')).toEqual(['project', 'sessions']);
    expect(await head('')).toEqual(['project', 'records']);
    expect(await countsBy('by=project')).toEqual({
      rows: { shop: undefined, blog: undefined },
      total: undefined,
    });
  });

  it('are not told to who is told of large groups only', async () => {
    const { ask, make, machineToken } = await guarded.open({ minimumUsers: 1 });
    await ask({ method: 'POST', url: '/v1/events', token: machineToken, body: given });
    const { text } = await make({ scopes: ['read'] });
    const url = '/v1/usage?by=project&sessions=include';
    const read = async (token: string) => JSON.parse((await ask({ url, token })).text).total;
    expect(await read(machineToken)).toMatchObject({ sessions: 2 });
    expect(await read(text)).not.toHaveProperty('sessions');
  });
});
