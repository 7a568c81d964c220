/** The notice by forecast: what is likely, said once while a budget is ok, on a real ledger. */
import { describe, expect, it } from 'vitest';
import { type NamedBudget, nameBudget } from '../../../../collector/answers/budgets/definition.ts';
import { appendOwn } from '../../../../collector/roles/budgets/append.ts';
import type { Ledger } from '../../../../collector/roles/ledger.ts';
import { attributed, turn } from '../../projections/support/given.ts';
import { ledgerHomes } from '../../support/ledger.ts';
import { accept, budget, crossingsIn, documentsOf, look, lookOnly } from './support.ts';

const homes = ledgerHomes();
const dayMs = 86_400_000;
const at = (time: string, on = '2026-11-22') => `${on}T${time}:00.000Z`;
const spent = (when: string, costNanoUsd: number) => turn(when, { costNanoUsd });
const daysBefore = (days: number) => new Date(Date.parse(at('07:00')) - days * dayMs).toISOString();

/** 100 nano-dollars on each of so many days before the 22nd. */
async function spendingFor(days: number): Promise<Ledger> {
  const ledger = await homes.open();
  const before = Array.from({ length: days }, (_, index) => spent(daysBefore(index + 1), 100));
  await accept(ledger, [attributed(daysBefore(days + 1)), ...before]);
  return ledger;
}

/** From the 1st to the 21st 2,100 are used; nine days are left, 100 each. */
function monthly(limit: string, wish: Parameters<typeof budget>[1] = {}): NamedBudget {
  return budget('shop', { project: 'shop', per: 'month', limit, warnByForecast: true, ...wish });
}
const tight = monthly('0.00000295');

describe('a budget with warnByForecast', () => {
  it('says once that it is likely to pass its limit, and what that rests on', async () => {
    const ledger = await spendingFor(28);
    const [, said, ...others] = await look(ledger, [tight], at('12:00'));
    expect(others).toEqual([]);
    expect(said).toMatchObject({
      type: 'pi.budget.crossed.v1',
      time: at('12:00'),
      data: {
        ...{ budget: 'shop', number: 1, from: 'ok', to: 'forecast', isFirst: true },
        ...{ used: '0.0000021', limit: '0.00000295', warnAt: 80, isAtLeast: false },
        forecast: {
          ...{ low: '0.000003', middle: '0.000003', high: '0.000003' },
          // 850 more: eight days of 100, and half of the last.
          fullAt: '2026-11-30T12:00:00.000Z',
        },
      },
    });
    expect(await look(ledger, [tight], at('12:01'))).toEqual([]);
    expect(await look(ledger, [tight], at('12:00', '2026-11-23'))).toEqual([]);
  });

  it('goes on from there, and says it no second time in the period', async () => {
    const ledger = await spendingFor(28);
    await look(ledger, [tight], at('12:00'));
    await accept(ledger, [spent(at('12:01'), 300)]);
    expect(await look(ledger, [tight], at('12:02'))).toMatchObject([
      { data: { number: 2, from: 'forecast', to: 'warning', isFirst: true } },
    ]);
    await accept(ledger, [attributed(at('12:00'), { project: 'docs' })]);
    await accept(ledger, [attributed(daysBefore(40), { project: 'docs' })]);
    await accept(ledger, [attributed(at('12:03')), spent(at('12:04'), 600)]);
    const rest = await look(ledger, [tight], at('12:05'));
    expect(crossingsIn(rest).filter((text) => text.includes('forecast'))).toEqual([]);
  });

  it('says it anew in the next period, and after a change of the definition', async () => {
    const ledger = await spendingFor(28);
    const small = monthly('0.0000001', { per: 'day' });
    const on = (day: string) => look(ledger, [small], at('00:10', day));
    expect(crossingsIn(await on('2026-11-22'))).toEqual(['shop 1 forecast at 0']);
    expect(crossingsIn(await on('2026-11-23'))).toEqual(['shop 1 forecast at 0']);
    const other = monthly('0.00000009', { per: 'day' });
    const again = await look(ledger, [other], at('00:20', '2026-11-23'));
    expect(crossingsIn(again)).toEqual(['shop 1 forecast at 0']);
    expect(crossingsIn(await on('2026-11-23'))).toEqual([]);
  });

  it('says it once where the forecast sinks and rises, or the clock is set back', async () => {
    const ledger = await spendingFor(28);
    // Of the same terms, and set later.
    const twin = nameBudget('twin', tight.definition);
    const on = async (time: string, day: string, budgets = [tight, twin]) =>
      crossingsIn(await look(ledger, budgets, at(time, day)));
    const first = await on('12:00', '2026-11-22', [tight]);
    expect(first).toEqual(['shop 1 forecast at 0.0000021']);
    // A day without spend: 800 more are expected, and 50 too few. Then 200 come late.
    expect(await on('10:00', '2026-11-23')).toEqual([]);
    await accept(ledger, [spent(at('12:01'), 200)]);
    expect(await on('10:02', '2026-11-23')).toEqual(['twin 1 forecast at 0.0000023']);
    expect(await on('11:00', '2026-11-22')).toEqual([]);
    expect(await on('12:00', '2026-11-21')).toEqual([]);
  });

  it('says nothing by forecast of a period that has ended, whatever comes late', async () => {
    const ledger = await spendingFor(28);
    const daily = monthly('0.00000013', { per: 'day', warnAt: 100 });
    await look(ledger, [daily], at('12:00'));
    await accept(ledger, [spent(at('13:00'), 120)]);
    const next = await look(ledger, [daily], at('00:10', '2026-11-23'));
    expect(crossingsIn(next)).toEqual([]);
    await accept(ledger, [spent(at('13:01'), 20)]);
    const late = await look(ledger, [daily], at('00:11', '2026-11-23'));
    expect(crossingsIn(late)).toEqual(['shop 1 over at 0.00000014']);
  });

  it('leaves one event of two collectors that differ, and goes on from it', async () => {
    const ledger = await spendingFor(28);
    const likely = await lookOnly(ledger, [tight], at('12:00'));
    await accept(ledger, [spent(at('12:01'), 300)]);
    const warned = await lookOnly(ledger, [tight], at('12:02'));
    expect(warned.at(-1)?.id).toBe(likely.at(-1)?.id);
    await appendOwn(ledger.ingest, likely);
    await appendOwn(ledger.ingest, warned);
    expect(await look(ledger, [tight], at('12:03'))).toMatchObject([
      { data: { number: 2, from: 'forecast', to: 'warning', isFirst: true } },
    ]);
    expect(await look(ledger, [tight], at('12:04'))).toEqual([]);
  });

  it.each<[string, number, NamedBudget]>([
    ['without the option', 28, monthly('0.00000295', { warnByForecast: false })],
    ['while the middle stays below the limit', 28, monthly('0.000003001')],
    ['without a forecast: the first spend is too recent', 13, tight],
    ['of a window', 28, monthly('90', { per: '5h window', unit: 'percent', project: null })],
  ])('says nothing %s', async (_, days, given) => {
    const ledger = await spendingFor(days);
    expect(crossingsIn(await look(ledger, [given], at('12:00')))).toEqual([]);
  });

  it('says nothing after a warning, which says more', async () => {
    const ledger = await spendingFor(28);
    const near = monthly('0.00000295', { warnAt: 70 });
    expect(crossingsIn(await look(ledger, [near], at('12:00')))).toEqual([
      'shop 1 warning at 0.0000021',
    ]);
    expect(await look(ledger, [near], at('12:01'))).toEqual([]);
  });

  it('writes the same event whoever writes it, and stays the same after a rebuild', async () => {
    const ledger = await spendingFor(28);
    const [first] = (await lookOnly(ledger, [tight], at('12:00'))).slice(-1);
    const [second] = (await lookOnly(ledger, [tight], at('12:07'))).slice(-1);
    expect(second?.id).toBe(first?.id);
    await look(ledger, [tight], at('12:00'));
    await appendOwn(ledger.ingest, second === undefined ? [] : [second]);
    const documents = await documentsOf(ledger);
    await ledger.subscription.rebuild('budgets');
    expect(await documentsOf(ledger)).toEqual(documents);
    expect(JSON.stringify(documents).split('fullAt')).toHaveLength(2);
    expect(await look(ledger, [tight], at('12:10'))).toEqual([]);
  });
});
