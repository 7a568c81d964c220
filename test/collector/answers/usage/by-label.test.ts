import type { EventData } from '@pi-ledger/contract';
import { afterAll, describe, expect, it } from 'vitest';
import { openLedger } from '../../../../collector/main.ts';
import { attributed, event, turn } from '../../projections/support/given.ts';
import { get, ledgerHomes, post } from '../../support/ledger.ts';

const homes = ledgerHomes();
const [a, b, c] = ['a', 'b', 'c'].map((digit) => digit.repeat(40));
const at = (time: string) => `2026-11-22T${time}:00.000Z`;

const head = (
  time: string,
  commit: string | null,
  { session = 's1', branch = 'main', afterTurn = true } = {},
) =>
  event(
    'pi.head.observed.v1',
    { at: at(time), session },
    {
      project: { name: 'shop', remote: 'https://git.example.org/ada/shop.git', branch },
      cwd: '/home/ada/work/shop',
      machine: "ada's",
      commit,
      afterTurn,
    },
  );

const label = (time: string, labels: EventData<'pi.session.labelled.v1'>['labels']) =>
  event('pi.session.labelled.v1', { at: at(time) }, { labels, whole: false });

/** Costs are powers of ten, so that each sum says what is in it. */
const given = [
  attributed(at('08:00')),
  head('08:00', a ?? '', { afterTurn: false }),
  turn(at('08:10'), { costNanoUsd: 1 }),
  label('08:15', { ticket: 'ABC-12' }),
  turn(at('08:20'), { costNanoUsd: 10 }),
  head('08:30', b ?? ''),
  label('08:35', { team: 'pay' }),
  turn(at('08:40'), { costNanoUsd: 100 }),
  attributed(at('08:50'), { branch: 'pr/12' }),
  head('08:50', b ?? '', { branch: 'pr/12' }),
  turn(at('08:55'), { costNanoUsd: 1_000 }),
  head('08:56', c ?? '', { branch: 'pr/12' }),
  attributed(at('08:00'), { project: 'blog', branch: 'pr/12' }, 's2'),
  turn(at('08:10'), { costNanoUsd: 10_000 }, 's2'),
];

async function rowsBy(ledger: Awaited<ReturnType<typeof homes.open>>, query: string) {
  const { by, rows, total } = (await get(ledger, `/v1/usage?${query}`)).json();
  const named = rows.map((row: Record<string, string | null>) => [
    by.map((name: string) => row[name] ?? 'null').join(' '),
    row.meteredNanoUsd,
  ]);
  const sum = named.reduce(
    (all: bigint, [, nanoUsd]: [string, string]) => all + BigInt(nanoUsd),
    0n,
  );
  expect(total.meteredNanoUsd).toBe(String(sum));
  return Object.fromEntries(named);
}

describe('usage by commit', () => {
  it('counts to the next commit seen on the branch, and adds up to the total', async () => {
    const ledger = await homes.holding(given);
    expect(await rowsBy(ledger, 'by=commit')).toEqual({
      bbbbbbbbbb: '11',
      'not committed': '100',
      cccccccccc: '1000',
      'no commit known': '10000',
    });
    expect(await rowsBy(ledger, 'by=commit&timezone=Asia/Kathmandu&since=2026-11-22')).toEqual(
      await rowsBy(ledger, 'by=commit'),
    );
  });

  it('knows what another session sees there later, whatever arrives first', async () => {
    const later = head('10:00', c ?? '', { session: 's3', afterTurn: false });
    const ledger = await homes.holding([later, ...given.toReversed()]);
    expect(await rowsBy(ledger, 'by=project,commit')).toEqual({
      'shop bbbbbbbbbb': '11',
      'shop cccccccccc': '1100',
      'blog no commit known': '10000',
    });
  });

  it('counts what precedes the first commit to it', async () => {
    const unborn = [
      attributed(at('08:00')),
      head('08:00', null, { afterTurn: false }),
      turn(at('08:10'), { costNanoUsd: 5 }),
    ];
    expect(await rowsBy(await homes.holding(unborn), 'by=commit')).toEqual({
      'not committed': '5',
    });
    const born = await homes.holding(unborn, [head('08:20', a ?? '')]);
    expect(await rowsBy(born, 'by=commit')).toEqual({ aaaaaaaaaa: '5' });
  });
});

describe('usage by branch and pull request', () => {
  it('names a pull request by its project and branch', async () => {
    const ledger = await homes.holding(given);
    expect(await rowsBy(ledger, 'by=branch')).toEqual({ main: '111', 'pr/12': '11000' });
    expect(await rowsBy(ledger, 'by=pr')).toEqual({
      'shop:main': '111',
      'shop:pr/12': '1000',
      'blog:pr/12': '10000',
    });
  });

  it('names it by its number where the user’s pattern finds one', async () => {
    const pullRequests = '^pr/(?<number>[0-9]+)';
    const ledger = await openLedger({ ...homes.config(), pullRequests });
    afterAll(() => ledger.close());
    await post(ledger, given);
    expect(await rowsBy(ledger, 'by=pr')).toEqual({
      'shop:main': '111',
      'shop#12': '1000',
      'blog#12': '10000',
    });
  });
});

describe('usage by label', () => {
  it('has a row for each value, and one for what has none', async () => {
    const ledger = await homes.holding(given);
    expect(await rowsBy(ledger, 'by=label:ticket')).toEqual({ 'ABC-12': '1110', null: '10001' });
    expect(await rowsBy(ledger, 'by=label:team,label:ticket')).toEqual({
      'pay ABC-12': '1100',
      'null ABC-12': '10',
      'null null': '10001',
    });
    const csv = (await get(ledger, '/v1/usage?by=label:ticket&format=csv')).text.split('\n');
    expect(csv[0]).toMatch(/^label:ticket,records,/);
    expect(csv[2]).toMatch(/^ABC-12,/);
  });

  it('is narrowed by labels', async () => {
    const ledger = await homes.holding(given);
    const sum = async (query: string) => (await rowsBy(ledger, `by=host&${query}`)).pi ?? '0';
    expect(await sum('label=ticket%3DABC-12')).toBe('1110');
    expect(await sum('label=ticket%3DABC-12&label=ticket%3D')).toBe('11111');
    expect(await sum('label=ticket%3DABC-12&label=team%3D')).toBe('10');
    expect(await sum('label=team%3D')).toBe('10011');
    expect(await sum('label=ticket%3DABC-12&branch=main')).toBe('110');
    expect(await sum('label=ticket%3Dnothing')).toBe('0');
    expect(await sum('label=ticket%3DABC-12&timezone=Asia/Kathmandu&since=2026-11-22')).toBe(
      '1110',
    );
  });

  it.each(['by=label:', 'by=label:Ticket', 'by=label', 'label=ticket', 'label=Ticket%3D1'])(
    'refuses %s',
    async (query) => {
      const { status, json } = await get(await homes.holding(), `/v1/usage?${query}`);
      expect([status, json().field]).toEqual([400, query.split('=')[0]]);
    },
  );
});

describe('sessions with records of a label', () => {
  it('are listed and counted by it; without the label, too', async () => {
    const ledger = await homes.holding(given);
    const listed = async (query: string) => {
      const { rows, total } = (await get(ledger, `/v1/sessions?total=include&${query}`)).json();
      return [rows.map(({ id }: { id: string }) => id), total];
    };
    expect(await listed('label=ticket%3DABC-12')).toEqual([['s1'], 1]);
    expect(await listed('label=ticket%3D')).toEqual([['s1', 's2'], 2]);
    expect(await listed('label=team%3Dpay&label=ticket%3DABC-12&sort=metered')).toEqual([
      ['s1'],
      1,
    ]);
    expect(await listed('label=ticket%3DABC-13')).toEqual([[], 0]);
    expect((await get(ledger, '/v1/sessions?label=a')).status).toBe(400);
  });
});
