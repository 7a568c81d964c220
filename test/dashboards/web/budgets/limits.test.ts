import { describe, expect, it } from 'vitest';
import { placeOf } from '../../../../dashboards/web/state/place.ts';
import { alarmsOf, limitOf } from '../../../../dashboards/web/views/overview/limits.ts';
import { budget } from './given.ts';

const all = { ...budget, name: 'all', project: null };
const forecast = { low: '180', middle: '195', high: '231.5', basis: 'the last 4 weeks' };

describe('the limit beside the month', () => {
  const at = (url: string) => placeOf(url) ?? { view: 'overview', id: null, parameters: {} };
  const plan = { ...all, name: 'plan', unit: 'list-price dollars' as const };
  const team = { ...all, name: 'team', label: 'team=pay' };
  const ofProvider = { ...all, name: 'anthropic', provider: 'anthropic' };
  const rows = [
    { ...all, name: 'week', per: 'week' as const },
    budget,
    plan,
    team,
    ofProvider,
    all,
  ];
  const of = (url: string, billing: 'metered' | 'subscription' = 'metered') =>
    limitOf(rows, at(url), billing)?.name;

  it('is that of the month, of one kind of money, about just what is shown', () => {
    expect([of('/'), of('/?project=shop'), of('/', 'subscription')]).toEqual([
      'all',
      'shop',
      'plan',
    ]);
    expect(of('/?label:team=pay&range=7d')).toBe('team');
    expect([of('/?provider=anthropic'), of('/?provider=openai')]).toEqual(['anthropic', undefined]);
  });

  it('is none where more or less is shown than the budget counts', () => {
    for (const query of ['project=blog', 'user=ada', 'project=shop&user=ada', 'host=omp'])
      expect(of(`/?${query}`)).toBeUndefined();
    expect(of('/?label:team=pay&label:a=b')).toBeUndefined();
  });
});

describe('budgets that need attention', () => {
  it('are over, near their limit or likely to pass it, the gravest first', () => {
    const ok = { ...budget, state: 'ok' as const };
    const over = {
      ...budget,
      name: 'over',
      state: 'over' as const,
      used: '212.5',
      usedShare: 1.0625,
    };
    const may = { ...ok, name: 'may', forecast, isAtLeast: false };
    const alarms = alarmsOf([ok, may, budget, over]);
    expect(alarms.map(({ budget: { name }, words }) => [name, words])).toEqual([
      ['over', 'over'],
      ['shop', 'warning'],
      ['may', 'may pass it'],
    ]);
    expect(alarms.map(({ amount }) => amount)).toEqual([
      { nanoUsd: 12_500_000_000n, mark: 'atLeast' },
      null,
      { nanoUsd: 31_500_000_000n, mark: 'atMost' },
    ]);
    expect(alarms.map(({ reason }) => reason)).toEqual([
      '≥ $212.50 of $200.00, 106 %',
      '≥ $171.55 of $200.00, 85 %',
      '$171.55 of $200.00, 85 %; likely ~$195.00 at the end, $180.00 to $231.50',
    ]);
  });

  it('say that a subscription is at list price; tokens have no amount', () => {
    const plan = { ...budget, state: 'over' as const, unit: 'list-price dollars' as const };
    expect(alarmsOf([plan])[0]?.reason).toContain('; subscription, list price');
    expect(alarmsOf([{ ...plan, unit: 'tokens' }])[0]?.amount).toBeNull();
  });
});
