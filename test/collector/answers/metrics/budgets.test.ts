/** The gauges of budgets, on a real ledger. */
import type { CounterReading } from '@pi-ledger/contract/telemetry/counters';
import { describe, expect, it } from 'vitest';
import type { NamedBudget } from '../../../../collector/answers/budgets/definition.ts';
import { budgetList } from '../../../../collector/answers/budgets/query.ts';
import { withBudgets } from '../../../../collector/answers/metrics/budgets.ts';
import { createCounters } from '../../../../collector/answers/metrics/counters.ts';
import { visibleViews } from '../../../../collector/answers/views/visible-views.ts';
import { createSessions } from '../../../../collector/projections/sessions.ts';
import { createVerified } from '../../../../collector/projections/verified.ts';
import type { Ledger } from '../../../../collector/roles/ledger.ts';
import { attributed, turn } from '../../projections/support/given.ts';
import { accept, budget, look } from '../../roles/budgets/support.ts';
import { ledgerHomes } from '../../support/ledger.ts';
import { amountsOf } from './readings.ts';

const homes = ledgerHomes();
const at = (time: string, on = '2026-11-22') => `${on}T${time}:00.000Z`;
const spent = (time: string, costNanoUsd: number) => turn(at(time), { costNanoUsd });
const nextDay = at('00:00', '2026-11-23');

/** `configured`: null, as in a process that does not write the ledger. */
function askedOf(ledger: Ledger, configured: readonly NamedBudget[] | null, now: string) {
  const { config, store } = ledger.parts;
  const { views } = store;
  const sessions = createSessions(config.rules);
  const verified = createVerified(config.rules);
  const limits = config.quota;
  return {
    ...{ views, sessions, verified, limits, now: () => Date.parse(now) },
    configured: () => configured,
  };
}

async function read(
  ledger: Ledger,
  configured: readonly NamedBudget[] | null,
  now: string,
): Promise<CounterReading> {
  await ledger.subscription.catchUp();
  const asked = askedOf(ledger, configured, now);
  const counters = createCounters(ledger.views, { users: false, now: asked.now });
  const reading = await withBudgets(counters, asked, fail).read();
  if (reading === null) throw new Error('Nothing counts yet.');
  return reading;
}

function fail(error: unknown): never {
  throw error;
}

const states = (reading: CounterReading) => amountsOf(reading, 'pi.budget.state', 'pi.budget.name');
const shares = (reading: CounterReading) =>
  amountsOf(reading, 'pi.budget.utilization', 'pi.budget.name');

describe('the gauges of budgets', () => {
  it('say the state and the used share that the answer on budgets says', async () => {
    const ledger = await homes.open();
    const budgets = [
      budget('low', { limit: '0.000003' }),
      budget('near', { limit: '0.0000012' }),
      budget('full', { limit: '0.000001' }),
      budget('other', { project: 'docs' }),
    ];
    await accept(ledger, [attributed(at('08:00')), spent('08:10', 1_000)]);
    await look(ledger, budgets, at('08:11'));
    const reading = await read(ledger, budgets, at('08:12'));
    expect(states(reading)).toEqual({ low: 0n, near: 1n, full: 2n, other: 0n });
    expect(shares(reading)).toEqual({ low: 333_333n, near: 833_333n, full: 1_000_000n, other: 0n });
    const asked = askedOf(ledger, budgets, at('08:12'));
    const { rows } = await budgetList(asked, visibleViews(asked), {});
    const numbers = new Map([['ok', 0n] as const, ['warning', 1n] as const, ['over', 2n] as const]);
    for (const { name, state, usedShare } of rows) {
      expect(states(reading)[name]).toBe(numbers.get(state ?? 'ok'));
      expect(Number(shares(reading)[name]) / 1e6).toBeCloseTo(usedShare ?? -1, 5);
    }
  });

  it('are below 1 until the limit is reached', async () => {
    const ledger = await homes.open();
    const wide = [budget('wide', { limit: '1' })];
    await accept(ledger, [attributed(at('08:00')), spent('08:10', 999_999_999)]);
    const before = await read(ledger, wide, at('08:11'));
    expect([states(before), shares(before)]).toEqual([{ wide: 1n }, { wide: 999_999n }]);
    await accept(ledger, [spent('08:12', 1)]);
    const after = await read(ledger, wide, at('08:13'));
    expect([states(after), shares(after)]).toEqual([{ wide: 2n }, { wide: 1_000_000n }]);
  });

  it('are ok again when the period has ended', async () => {
    const ledger = await homes.open();
    const shop = [budget('shop')];
    await accept(ledger, [attributed(at('08:00')), spent('08:10', 2_000)]);
    await look(ledger, shop, at('08:11'));
    expect(states(await read(ledger, null, at('23:59')))).toEqual({ shop: 2n });
    expect(states(await read(ledger, null, nextDay))).toEqual({ shop: 0n });
    expect(shares(await read(ledger, null, nextDay))).toEqual({ shop: 0n });
  });

  it('end with the budget, here and where only the log says so', async () => {
    const ledger = await homes.open();
    const both = [budget('shop'), budget('docs', { project: 'docs' })];
    await accept(ledger, [attributed(at('08:00')), spent('08:10', 2_000)]);
    await look(ledger, both, at('08:11'));
    expect(states(await read(ledger, null, at('08:12')))).toEqual({ shop: 2n, docs: 0n });
    expect(states(await read(ledger, both.slice(1), at('08:12')))).toEqual({ docs: 0n });
    await look(ledger, both.slice(1), at('08:13'));
    expect(states(await read(ledger, null, at('08:14')))).toEqual({ docs: 0n });
    await look(ledger, [], at('08:15'));
    expect(states(await read(ledger, null, at('08:16')))).toEqual({});
  });

  it('are absent of a window that nobody knows', async () => {
    const ledger = await homes.open();
    await accept(ledger, [attributed(at('08:00')), spent('08:10', 2_000)]);
    const plan = budget('plan', { per: '5h window', unit: 'percent', limit: '90' });
    const reading = await read(ledger, [plan, budget('shop')], at('08:12'));
    expect([states(reading), Object.keys(shares(reading))]).toEqual([{ shop: 2n }, ['shop']]);
  });

  it('are absent where budgets cannot be measured: counters go on and say why', async () => {
    const ledger = await homes.open();
    await accept(ledger, [attributed(at('08:00')), spent('08:10', 2_000)]);
    await ledger.subscription.catchUp();
    const asked = askedOf(ledger, [budget('shop')], at('08:11'));
    const counters = createCounters(ledger.views, { users: false, now: asked.now });
    const sum = () => Promise.reject(new Error('too many'));
    const failing = { ...asked, views: { ...asked.views, sum } };
    const failures: unknown[] = [];
    const reading = await withBudgets(counters, failing, (error) => failures.push(error)).read();
    if (reading === null) throw new Error('Nothing counts yet.');
    expect(states(reading)).toEqual({});
    expect(amountsOf(reading, 'pi.cost.usd', 'pi.project')).toEqual({ shop: 2_000n });
    expect(failures).toEqual([new Error('too many')]);
  });
});
