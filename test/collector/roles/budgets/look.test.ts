/** What is said of budgets when spend comes, moves and goes, on a real ledger. */
import { describe, expect, it } from 'vitest';
import { budgetList } from '../../../../collector/answers/budgets/query.ts';
import { visibleViews } from '../../../../collector/answers/views/visible-views.ts';
import { createSessions } from '../../../../collector/projections/sessions.ts';
import { createVerified } from '../../../../collector/projections/verified.ts';
import { appendOwn } from '../../../../collector/roles/budgets/append.ts';
import { liveEventId } from '../../../../core/record/identity/event-id.ts';
import { eventually } from '../../../support/eventually.ts';
import { attributed, turn } from '../../projections/support/given.ts';
import { ledgerHomes } from '../../support/ledger.ts';
import { accept, budget, crossingsIn, documentsOf, look, lookOnly } from './support.ts';

const homes = ledgerHomes();
const day = '2026-11-22';
const at = (time: string, on = day) => `${on}T${time}:00.000Z`;
const spent = (time: string, nanoUsd: number, session = 's1') =>
  turn(at(time), { costNanoUsd: nanoUsd }, session);
const shop = budget('shop', { project: 'shop', endsHeadlessRuns: true });

describe('budgets that are looked at', () => {
  it('say each change once, and what it is about', async () => {
    const ledger = await homes.open();
    await accept(ledger, [attributed(at('08:00')), spent('08:10', 500)]);
    const defined = await look(ledger, [shop], at('08:11'));
    expect(defined).toMatchObject([
      {
        type: 'pi.budget.defined.v1',
        source: '/collector',
        subject: '/budgets/shop',
        data: { budget: 'shop', revision: 1, version: shop.version, definition: shop.definition },
      },
    ]);
    expect(await look(ledger, [shop], at('08:12'))).toEqual([]);
    await accept(ledger, [spent('08:20', 400)]);
    const [warned] = await look(ledger, [shop], at('08:21'));
    expect(warned).toMatchObject({
      time: at('08:21'),
      data: {
        ...{ budget: 'shop', version: shop.version, project: 'shop', user: null, per: 'day' },
        ...{ period: { start: at('00:00'), end: '2026-11-23T00:00:00.000Z' }, number: 1 },
        ...{ from: 'ok', to: 'warning', used: '0.0000009', limit: '0.000001', isFirst: true },
        ...{ unit: 'metered dollars', isAtLeast: false, warnAt: 80, isHard: false },
      },
    });
    expect(await look(ledger, [shop], at('08:22'))).toEqual([]);
  });

  it('follow spend that moves away and comes back, with one notice for each state', async () => {
    const ledger = await homes.open();
    await accept(ledger, [attributed(at('08:00')), spent('08:10', 1_200)]);
    expect(crossingsIn(await look(ledger, [shop], at('08:11')))).toEqual([
      'shop 1 over at 0.0000012',
    ]);
    // Late: the session was another project's all the time.
    await accept(ledger, [attributed(at('07:00'), { project: 'docs' }), attributed(at('08:05'))]);
    await accept(ledger, [attributed(at('08:06'), { project: 'docs' })]);
    expect(crossingsIn(await look(ledger, [shop], at('08:12')))).toEqual([
      'shop 2 ok at 0, no notice',
    ]);
    await accept(ledger, [attributed(at('08:20')), spent('08:30', 1_000)]);
    expect(crossingsIn(await look(ledger, [shop], at('08:31')))).toEqual([
      'shop 3 over at 0.000001, no notice',
    ]);
  });

  it('have a notice again of what rested on spend that was withdrawn', async () => {
    const ledger = await homes.open(() => Date.parse(at('08:12')));
    await accept(ledger, [attributed(at('08:00')), attributed(at('08:00'), {}, 'forged')]);
    await accept(ledger, [spent('08:10', 900), spent('08:10', 5_000, 'forged')]);
    expect(crossingsIn(await look(ledger, [shop], at('08:11')))).toEqual([
      'shop 1 over at 0.0000059',
    ]);
    const withdrawn = await ledger.app.inject({
      ...{ method: 'POST', url: '/v1/withdrawals', headers: { host: 'localhost' } },
      payload: { session: 'forged', reason: 'nobody spent that' },
    });
    expect(withdrawn.statusCode).toBe(200);
    await eventually(async () =>
      expect(crossingsIn(await lookOnly(ledger, [shop], at('08:13')))).toEqual([
        'shop 2 warning at 0.0000009',
      ]),
    );
    await look(ledger, [shop], at('08:13'));
    await accept(ledger, [spent('08:20', 100)]);
    expect(crossingsIn(await look(ledger, [shop], at('08:21')))).toEqual([
      'shop 3 over at 0.000001',
    ]);
  });

  it('count each kind of money for itself, and name what is left out', async () => {
    const ledger = await homes.open();
    const billed = (billing: Record<string, 'metered' | 'subscription'>, session: string) =>
      attributed(at('08:00'), { billing }, session);
    await accept(ledger, [
      billed({ anthropic: 'metered' }, 's1'),
      billed({ anthropic: 'subscription' }, 's2'),
      billed({}, 's3'),
      spent('08:10', 900, 's1'),
      spent('08:10', 2_000, 's2'),
      spent('08:10', 7_000, 's3'),
    ]);
    const both = [shop, budget('plan', { unit: 'list-price dollars' })];
    const events = await look(ledger, both, at('08:11'));
    expect(crossingsIn(events)).toEqual(['shop 1 warning at 0.0000009', 'plan 1 over at 0.000002']);
    expect(events.filter(({ data }) => 'isAtLeast' in data && data.isAtLeast)).toHaveLength(2);
  });

  it('say what comes late of the period before, and nothing of one before the budget', async () => {
    const ledger = await homes.open();
    await accept(ledger, [attributed(at('08:00')), spent('08:10', 5_000)]);
    const tomorrow = (time: string) => at(time, '2026-11-23');
    // Defined a day later: yesterday was never its business.
    expect(crossingsIn(await look(ledger, [shop], tomorrow('09:00')))).toEqual([]);
    const other = budget('docs', { project: 'docs' });
    await look(ledger, [shop, other], at('12:00'));
    await accept(ledger, [
      attributed(at('08:00'), { project: 'docs' }, 's2'),
      spent('23:59', 800, 's2'),
    ]);
    expect(crossingsIn(await look(ledger, [shop, other], tomorrow('09:00')))).toEqual([
      'docs 1 warning at 0.0000008',
    ]);
    await accept(ledger, [spent('23:58', 800, 's2')]);
    expect(await look(ledger, [shop, other], '2026-11-25T00:00:00.000Z')).toEqual([]);
  });

  it('begin anew with another definition, and go on where an old one comes back', async () => {
    const ledger = await homes.open();
    await accept(ledger, [attributed(at('08:00')), spent('08:10', 1_000)]);
    await look(ledger, [shop], at('08:11'));
    const wider = budget('shop', { project: 'shop', limit: '0.0000012' });
    const changed = await look(ledger, [wider], at('08:12'));
    expect(changed[0]).toMatchObject({ data: { revision: 2, version: wider.version } });
    expect(crossingsIn(changed)).toEqual(['shop 1 warning at 0.000001']);
    expect(await look(ledger, [], at('08:13'))).toMatchObject([
      { data: { budget: 'shop', revision: 3, version: null, definition: null } },
    ]);
    expect(await look(ledger, [], at('08:14'))).toEqual([]);
    const back = await look(ledger, [shop], at('08:15'));
    expect(back[0]).toMatchObject({ data: { revision: 4, version: shop.version } });
    expect(crossingsIn(back)).toEqual([]);
  });

  it('have a raised limit until a day is over, and their own again after it', async () => {
    const ledger = await homes.open();
    const wish = { per: 'week', raisedTo: '0.000002', raisedUntil: '2026-11-19' } as const;
    const raised = budget('shop', { ...wish, timeZone: 'America/New_York' });
    const earlier = { costNanoUsd: 1_500 };
    const on = (time: string) => at(time, '2026-11-18');
    await accept(ledger, [attributed(on('08:00')), turn(on('08:10'), earlier)]);
    expect(crossingsIn(await look(ledger, [raised], on('09:00')))).toEqual([]);
    await accept(ledger, [turn(on('08:20'), { costNanoUsd: 200 })]);
    const warned = await look(ledger, [raised], on('09:10'));
    expect(crossingsIn(warned)).toEqual(['shop 1 warning at 0.0000017']);
    expect(warned[0]).toMatchObject({ data: { limit: '0.000002', version: raised.version } });
    // The day ends in New York.
    expect(await look(ledger, [raised], at('04:59', '2026-11-20'))).toEqual([]);
    const over = await look(ledger, [raised], at('05:00', '2026-11-20'));
    expect(crossingsIn(over)).toEqual(['shop 2 over at 0.0000017']);
    expect(over[0]).toMatchObject({ data: { limit: '0.000001', version: raised.version } });
  });

  it('are said once by two leaders, whatever each of them saw', async () => {
    const ledger = await homes.open();
    await accept(ledger, [attributed(at('08:00')), spent('08:10', 800)]);
    const one = await lookOnly(ledger, [shop], at('08:11'));
    await accept(ledger, [spent('08:20', 900)]);
    const other = await lookOnly(ledger, [shop], at('08:21'));
    expect([one, other].map(crossingsIn)).toEqual([
      ['shop 1 warning at 0.0000008'],
      ['shop 1 over at 0.0000017'],
    ]);
    expect(other.map(({ id }) => id)).toEqual(one.map(({ id }) => id));
    await Promise.all([appendOwn(ledger.ingest, one), appendOwn(ledger.ingest, other)]);
    expect(crossingsIn(await look(ledger, [shop], at('08:22')))).toEqual([
      'shop 2 over at 0.0000017',
    ]);
    expect(await documentsOf(ledger)).toHaveLength(3);
  });

  it('are told by a collector that does not write the ledger as the log has them', async () => {
    const ledger = await homes.open();
    await accept(ledger, [attributed(at('08:00')), spent('08:10', 900)]);
    await look(ledger, [shop, budget('gone')], at('08:11'));
    await look(ledger, [shop], at('08:12'));
    await ledger.subscription.catchUp();
    const { config, store } = ledger.parts;
    const { views } = store;
    const [sessions, verified] = [createSessions(config.rules), createVerified(config.rules)];
    const asked = { views, sessions, verified, limits: {} };
    const { rows } = await budgetList(
      { ...asked, configured: () => null, now: () => Date.parse(at('08:13')) },
      visibleViews(asked),
      {},
    );
    expect(rows).toMatchObject([
      { name: 'shop', version: shop.version, state: 'warning', crossings: [{ number: 1 }] },
    ]);
  });

  it('are kept when history is sealed, and go on in a month that begins before it', async () => {
    const ledger = await homes.open();
    const month = budget('month', { per: 'month', limit: '0.00001' });
    await accept(ledger, [
      attributed(at('08:00', '2026-11-19')),
      turn(at('08:00', '2026-11-19'), { costNanoUsd: 8_000 }),
    ]);
    await look(ledger, [shop, month], at('08:00', '2026-11-19'));
    await accept(ledger, [turn(at('09:00', '2026-11-19'), { costNanoUsd: 500 })]);
    await look(ledger, [shop, month], at('09:00', '2026-11-19'));
    const before = await documentsOf(ledger);
    await ledger.sealer.seal({ floorMs: Date.parse(at('00:00')) });
    expect(await ledger.log.history.seal()).not.toBeNull();
    await ledger.subscription.rebuild('budgets');
    expect(await documentsOf(ledger)).toEqual(before);
    await accept(ledger, [{ ...spent('10:00', 5_000), id: liveEventId(Date.parse(at('10:00'))) }]);
    expect(crossingsIn(await look(ledger, [shop, month], at('10:01')))).toEqual([
      'shop 1 over at 0.000005',
      'month 2 over at 0.0000135',
    ]);
  });

  it('come to the same documents when the log is folded anew', async () => {
    const ledger = await homes.open();
    await accept(ledger, [attributed(at('08:00')), spent('08:10', 900)]);
    await look(ledger, [shop], at('08:11'));
    await accept(ledger, [spent('08:20', 900)]);
    await look(ledger, [shop, budget('all')], at('08:21'));
    const before = await documentsOf(ledger);
    expect(before).toHaveLength(5);
    await ledger.subscription.rebuild('budgets');
    expect(await documentsOf(ledger)).toEqual(before);
  });
});
