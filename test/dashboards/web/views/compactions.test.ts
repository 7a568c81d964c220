import { type Compaction, compactionExample } from '@pi-ledger/contract/answers';
import type { Billing } from '@pi-ledger/contract/billings';
import { describe, expect, it } from 'vitest';
import { placeOf } from '../../../../dashboards/web/state/place.ts';
import {
  billingsOfSum,
  cacheWrittenAnew,
  netOf,
  netSum,
  summaryCost,
} from '../../../../dashboards/web/views/compactions/amounts.ts';
import { compactionsAsks } from '../../../../dashboards/web/views/compactions/asks.ts';
import {
  billingOfMost,
  dotsOf,
  netScale,
  shareOfDay,
  verdictWords,
} from '../../../../dashboards/web/views/compactions/net-dots.ts';

const totals = {
  costNanoUsd: '0',
  summaries: 0,
  unreportedCosts: 0,
  cacheMissNanoUsd: '0',
  unknownCacheMisses: 0,
  netNanoUsd: '0',
  nets: 0,
  upperBoundNets: 0,
  unknownNets: 0,
};

describe('what is said of the totals of compactions', () => {
  it('is a measured zero where there are none, and not known where no cost is', () => {
    expect(summaryCost(totals)).toEqual({ nanoUsd: 0n, mark: 'exact' });
    expect(summaryCost({ ...totals, summaries: 7, unreportedCosts: 7 }).nanoUsd).toBeNull();
    expect(netSum({ ...totals, unknownNets: 3 }).nanoUsd).toBeNull();
    expect(cacheWrittenAnew({ ...totals, unknownCacheMisses: 1 }).nanoUsd).toBeNull();
  });

  it('is at least a cost, and at most a net, where a cost in it is not known', () => {
    const partial = { ...totals, summaries: 2, unreportedCosts: 1, costNanoUsd: '5' };
    expect(summaryCost(partial)).toEqual({ nanoUsd: 5n, mark: 'atLeast' });
    expect(cacheWrittenAnew({ ...totals, cacheMissNanoUsd: '9', unknownCacheMisses: 1 })).toEqual({
      nanoUsd: 9n,
      mark: 'atLeast',
    });
    expect(netSum({ ...totals, nets: 2, upperBoundNets: 1, netNanoUsd: '-4' })).toEqual({
      nanoUsd: -4n,
      mark: 'atMost',
    });
    expect(netOf({ netNanoUsd: '3', netIsUpperBound: true }).mark).toBe('atMost');
  });
});

describe('the kinds of money in the first line', () => {
  type Kinds = Partial<Record<Billing, Partial<typeof totals>>>;
  const of = ({ metered, subscription, unknown }: Kinds) => ({
    byBilling: {
      metered: { ...totals, ...metered },
      subscription: { ...totals, ...subscription },
      unknown: { ...totals, ...unknown },
    },
  });
  const amounts = [summaryCost, cacheWrittenAnew, netSum];
  const shown = (kinds: Kinds) => amounts.map((each) => billingsOfSum(of(kinds), each));

  it('have no metered zero where all money is of another kind', () => {
    const unknown = { summaries: 1, costNanoUsd: '5' };
    expect(shown({ unknown })).toEqual([['unknown'], ['unknown'], ['unknown']]);
    const subscription = { nets: 1, netNanoUsd: '-4' };
    expect(shown({ subscription })).toEqual(amounts.map(() => ['subscription']));
    expect(shown({})).toEqual(amounts.map(() => ['metered']));
  });

  it('are each those that have some of it, metered first', () => {
    const metered = { summaries: 1, costNanoUsd: '5' };
    const unknown = { summaries: 1, costNanoUsd: '5', cacheMissNanoUsd: '9' };
    expect(shown({ metered, unknown })).toEqual([['metered', 'unknown'], ['unknown'], ['metered']]);
  });

  it('are there as soon as a cost or a net is not known', () => {
    const metered = { summaries: 1, costNanoUsd: '5', cacheMissNanoUsd: '9', nets: 1 };
    const both = (unknown: Partial<typeof totals>, amount: (typeof amounts)[number]) =>
      billingsOfSum(of({ metered: { ...metered, netNanoUsd: '7' }, unknown }), amount).length;
    expect(both({ summaries: 1, unreportedCosts: 1 }, summaryCost)).toBe(2);
    expect(both({ unknownCacheMisses: 1 }, cacheWrittenAnew)).toBe(2);
    expect(both({ unknownNets: 1 }, netSum)).toBe(2);
    expect(both({ nets: 1, upperBoundNets: 1 }, netSum)).toBe(2);
  });
});

describe('the dots of nets', () => {
  const row = (changes: Partial<Compaction>): Compaction => ({ ...compactionExample, ...changes });
  const dots = dotsOf([
    row({ netNanoUsd: '2000000000', netIsUpperBound: false, billing: 'subscription' }),
    row({ netNanoUsd: '-500000000', netIsUpperBound: false }),
    row({ netNanoUsd: '100000000', netIsUpperBound: true }),
    row({ netNanoUsd: '-1', netIsUpperBound: true }),
    row({ netNanoUsd: null, netIsUpperBound: null }),
  ]);

  it('say which paid; one at most below zero did not, and one without a net has no dot', () => {
    expect(dots.map(({ verdict, billing }) => [verdict, billing])).toEqual([
      ['paid', 'subscription'],
      ['lost', 'metered'],
      ['atMost', 'metered'],
      ['lost', 'metered'],
    ]);
    expect(verdictWords(dots)).toBe('1 paid, 2 did not, 1 at most');
    expect(verdictWords([])).toBe('');
  });

  it('are of the billing with the most of them first, and of metered where there are none', () => {
    expect(billingOfMost(dots)).toBe('metered');
    expect(billingOfMost(dots.slice(0, 1))).toBe('subscription');
    expect(billingOfMost(dotsOf([row({ billing: 'unknown' })]))).toBe('unknown');
    expect(billingOfMost([])).toBe('metered');
  });

  it('stand on a scale that has zero, also where all are on one side', () => {
    const [bottom, top] = netScale(dots, 100).domain();
    expect([bottom, top]).toEqual([-0.5, 2]);
    expect(netScale(dots.slice(0, 1), 100)(0)).toBe(100);
    expect(netScale([], 100).domain()).toEqual([0, 1]);
  });

  it('are of the day that the API says, whatever the day of the reader', () => {
    const [dot] = dotsOf([row({ time: '2026-11-21T22:30:00.000Z', day: '2026-11-22' })]);
    expect(dot?.day).toBe('2026-11-22');
    const at = (time: string) => shareOfDay({ day: '2026-11-22', timeMs: Date.parse(time) });
    expect(at('2026-11-20T12:00:00.000Z')).toBe(0);
    expect(at('2026-11-24T12:00:00.000Z')).toBe(1);
    expect(at('2026-11-22T06:00:00')).toBe(0.25);
  });
});

describe('what the audit asks', () => {
  const urls = (url: string) => {
    const place = placeOf(url);
    return place === null
      ? []
      : compactionsAsks(place, { day: '2026-11-22' }).map((each) => each.url);
  };

  it('asks for the period and the filters, and for what is shown and narrowed', () => {
    expect(urls('/compactions?range=today&project=shop&label:team=web')).toEqual([
      '/v1/compactions?since=2026-11-22&until=2026-11-22&project=shop&label=team%3Dweb&limit=1000',
    ]);
    expect(urls('/compactions?range=today&only=again&show=01a2')).toEqual([
      '/v1/compactions?since=2026-11-22&until=2026-11-22&limit=1000',
      '/v1/compactions?since=2026-11-22&until=2026-11-22&regret=some&limit=1000',
      '/v1/compactions/01a2',
    ]);
  });
});
