/** What changed and what it cost, as the API answers it. It is noon on 2026-11-22. */
import type { LedgerEvent } from '@pi-ledger/contract';
import type { Insights } from '@pi-ledger/contract/answers';
import { describe, expect, it } from 'vitest';
import { get } from '../../support/ledger.ts';
import { askInsights, spent, turnOf } from './support/asked.ts';

const { ask, holding } = askInsights();

const asFailure = (given: LedgerEvent): LedgerEvent =>
  given.type === 'pi.turn.completed.v1'
    ? { ...given, data: { ...given.data, stopReason: 'error' } }
    : given;

describe('the contexts that are read', () => {
  it('are those of the sessions that spent most, and the answer says how many', async () => {
    const many = Array.from({ length: 101 }, (_, index) => spent('11-10', index + 1)).flat();
    const { leftOut } = await ask(many);
    expect(leftOut).toContain('contexts of 100 of 101 sessions were read, those that spent most');
    expect((await ask(many.slice(2))).leftOut.join()).not.toContain('contexts');
  });
});

describe('the list', () => {
  const given = [...spent('09-24', 1), ...spent('11-01', 40), ...spent('11-02', 9, {}, 'opus')];

  it('is sorted by amount and cut to the most of each billing', async () => {
    const all = await ask(given, 'limit=100');
    const amounts = all.rows.map(({ nanoUsd }) => Number(nanoUsd));
    expect(amounts.length).toBeGreaterThan(2);
    expect(amounts).toEqual(amounts.toSorted((left, right) => right - left));
    const cut = await ask(given, 'limit=1');
    expect(cut.rows).toEqual(all.rows.slice(0, 1));
    expect(cut.rowsLeftOut).toBe(all.rows.length - 1);
  });

  it('has the same ids for other periods', async () => {
    const ids = async (since: string) =>
      (await ask(given, `since=${since}`)).rows.map(({ kind, id }) => [kind, id]);
    const [one, other] = [await ids('2026-10-24'), await ids('2026-10-25')];
    expect(one).not.toEqual([]);
    expect(one).toEqual(other);
  });

  it('hides one until it is shown again', async () => {
    const ledger = await holding(given);
    const list = async (query = ''): Promise<Insights> =>
      (await get(ledger, `/v1/insights${query}`)).json();
    const [first] = (await list()).rows;
    const hide = (hidden: boolean) =>
      ledger.app.inject({
        method: 'POST',
        url: `/v1/insights/${first?.id}/hidden`,
        payload: { hidden },
      });
    expect((await hide(true)).json()).toEqual({ hidden: [first?.id] });
    const without = await list();
    expect(without.rows.map(({ id }) => id)).not.toContain(first?.id);
    expect(without.hiddenRows).toBe(1);
    expect((await list('?hidden=include')).rows[0]).toEqual({ ...first, hidden: true });
    expect((await hide(false)).json()).toEqual({ hidden: [] });
    expect((await list()).rows[0]).toEqual(first);
  });

  it('tells of one alone, hidden or not, with every row behind it', async () => {
    const failed = Array.from({ length: 12 }, () =>
      turnOf('11-20', { reported: false, costNanoUsd: null }, {}),
    );
    const ledger = await holding(failed.flat().map(asFailure));
    const read = async (query = ''): Promise<Insights> =>
      (await get(ledger, `/v1/insights?${query}`)).json();
    const [first] = (await read()).rows;
    expect([first?.rowsInAll, first?.rows.length]).toEqual([12, 10]);
    const url = `/v1/insights/${first?.id}/hidden`;
    await ledger.app.inject({ method: 'POST', url, payload: { hidden: true } });
    const { rows } = await read(`id=${first?.id}`);
    expect(rows.map(({ id, rows: behind }) => [id, behind.length])).toEqual([[first?.id, 12]]);
    expect((await read('id=00000000')).rows).toEqual([]);
  });

  it('takes the day that has begun in the east', async () => {
    expect(await ask(given, 'since=2026-11-23')).toMatchObject({
      since: '2026-11-23',
      until: '2026-11-23',
    });
  });

  it.each(['someday', '2026-10-01'])('refuses until=%s after a later first day', async (until) => {
    const answer = await get(await holding(given), `/v1/insights?since=2026-11-01&until=${until}`);
    expect(answer.json()).toMatchObject({ code: 'bad_parameter', field: 'until' });
  });

  it.each(['2026-11-24', 'someday', '1999-01-01'])('refuses since=%s', async (since) => {
    const answer = await get(await holding(given), `/v1/insights?since=${since}`);
    expect(answer.status).toBe(400);
    expect(answer.json()).toMatchObject({ code: 'bad_parameter', field: 'since' });
  });
});
