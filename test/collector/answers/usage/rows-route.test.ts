import { describe, expect, it } from 'vitest';
import { get, ledgerHomes, post } from '../../support/ledger.ts';
import { work } from '../../support/work.ts';

const homes = ledgerHomes();
type Row = Readonly<Record<string, string | number | null>>;

async function worked() {
  const ledger = await homes.open();
  await post(ledger, work);
  return ledger;
}

describe('GET /v1/usage/rows', () => {
  it('has a row for each day, billing and what else is asked, with one amount', async () => {
    const ledger = await worked();
    const { rows } = (await get(ledger, '/v1/usage/rows')).json();
    expect(rows.map(({ day, billing }: Row) => `${day} ${billing}`)).toEqual(
      rows.map(({ day, billing }: Row) => `${day} ${billing}`).toSorted(),
    );
    const sum = (billing: string) =>
      rows
        .filter((row: Row) => row.billing === billing)
        .reduce((all: bigint, { nanoUsd }: Row) => all + BigInt(nanoUsd ?? 0), 0n)
        .toString();
    const { total } = (await get(ledger, '/v1/usage')).json();
    expect({
      meteredNanoUsd: sum('metered'),
      subscriptionNanoUsd: sum('subscription'),
      unknownBillingNanoUsd: sum('unknown'),
    }).toEqual({
      meteredNanoUsd: total.meteredNanoUsd,
      subscriptionNanoUsd: total.subscriptionNanoUsd,
      unknownBillingNanoUsd: total.unknownBillingNanoUsd,
    });
  });

  it('comes in pages, each row once, whatever the limit; unknown is null', async () => {
    const ledger = await worked();
    const path = '/v1/usage/rows?by=project&by=session&by=hour';
    const { rows: all } = (await get(ledger, path)).json();
    expect(all.length).toBeGreaterThan(4);
    expect(all.some(({ project }: Row) => project === null)).toBe(true);
    for (const limit of [1, 2, 3]) {
      const paged: Row[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const page = (await get(ledger, `${path}&limit=${limit}${cursor}`)).json();
        expect(page.rows.length).toBeLessThanOrEqual(limit);
        paged.push(...page.rows);
        cursor = page.next === null ? null : `&cursor=${encodeURIComponent(page.next)}`;
      }
      expect(paged).toEqual(all);
    }
  });

  it('takes filters and a period, and has only the columns asked for in CSV', async () => {
    const ledger = await worked();
    const { rows } = (await get(ledger, '/v1/usage/rows?by=project&project=shop')).json();
    expect(new Set(rows.map(({ project }: Row) => project))).toEqual(new Set(['shop']));
    const { day } = rows[0];
    const one = (await get(ledger, `/v1/usage/rows?since=${day}&until=${day}`)).json();
    expect(new Set(one.rows.map((row: Row) => row.day))).toEqual(new Set([day]));
    const [header] = (await get(ledger, '/v1/usage/rows?by=model&format=csv')).text.split('\r\n');
    expect(header?.split(',').slice(0, 4)).toEqual(['day', 'billing', 'model', 'records']);
    expect((await get(ledger, '/v1/usage/rows?by=planet')).json()).toMatchObject({
      code: 'bad_parameter',
    });
  });
});
