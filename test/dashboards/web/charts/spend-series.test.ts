import { describe, expect, it } from 'vitest';
import { ranked, seriesOf, usualOf } from '../../../../dashboards/web/charts/spend-series.ts';
import { addDays } from '../../../../dashboards/web/state/period.ts';
import { usageRow } from '../support/usage-row.ts';

const usd = (dollars: number) => String(BigInt(dollars) * 1_000_000_000n);

describe('series of days', () => {
  const columns = ['2026-11-20', '2026-11-21', '2026-11-22'];
  const rows = [
    usageRow({ day: '2026-11-20', project: 'shop', meteredNanoUsd: usd(3), inputTokens: 10 }),
    usageRow({ day: '2026-11-22', project: 'shop', subscriptionNanoUsd: usd(2), inputTokens: 5 }),
    usageRow({ day: '2026-11-22', project: null, meteredNanoUsd: usd(1) }),
  ];
  const totals = [
    usageRow({ day: '2026-11-20', meteredNanoUsd: usd(7), inputTokens: 14 }),
    usageRow({ day: '2026-11-22', meteredNanoUsd: usd(1), subscriptionNanoUsd: usd(2) }),
    usageRow({ day: '2026-12-24', meteredNanoUsd: usd(9) }),
  ];
  const names = ['shop', null];
  const spend = { columns, by: 'project', rows, totals, names, billing: 'metered' } as const;

  it('stand metered above, covered by a subscription below; what no name has is other', () => {
    const series = seriesOf({ ...spend, unit: 'usd' });
    expect(series).toEqual([
      { name: 'shop', class: 's1', above: [3, 0, 0], below: [0, 0, 2], open: [0, 0, 0] },
      { name: '(unknown)', class: 's2', above: [0, 0, 1], below: [0, 0, 0], open: [0, 0, 0] },
      { name: 'other', class: 's0', above: [4, 0, 0], below: [0, 0, 0], open: [0, 0, 0] },
    ]);
  });

  it('stand upright where one kind of money is all there is', () => {
    const covered = seriesOf({ ...spend, unit: 'usd', billing: 'subscription' });
    expect(covered[0]).toMatchObject({ above: [0, 0, 2], below: [] });
    const own = [usageRow({ day: '2026-11-21', project: 'shop', unknownBillingNanoUsd: usd(4) })];
    const all = { rows: own, totals: own, names: ['shop'] };
    const unknown = seriesOf({ ...spend, ...all, unit: 'usd', billing: 'unknown' });
    expect(unknown).toMatchObject([{ name: 'shop', above: [0, 4, 0], below: [], open: [] }]);
    const metered = seriesOf({ ...spend, ...all, unit: 'usd' });
    expect(metered).toMatchObject([{ name: 'shop', above: [0, 0, 0], open: [0, 4, 0] }]);
  });

  it('have an unnamed agent, where another name is unknown', () => {
    const day = '2026-11-20';
    const own = [usageRow({ day, agent: null, inputTokens: 1 })];
    const [agent] = seriesOf({ ...spend, by: 'agent', rows: own, names: [null], unit: 'tokens' });
    expect(agent).toMatchObject({ name: '(unnamed)', above: [1, 0, 0] });
  });

  it('count tokens in one direction', () => {
    const [shop] = seriesOf({ ...spend, unit: 'tokens' });
    expect(shop).toMatchObject({ above: [10, 0, 5], below: [] });
  });

  it('are five at most, the others together', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    const day = '2026-11-20';
    const all = names.map((project) => usageRow({ day, project, inputTokens: 1 }));
    const sum = [usageRow({ day, inputTokens: 6 })];
    const series = seriesOf({ ...spend, unit: 'tokens', names, rows: all, totals: sum });
    expect(series.map(({ name, above }) => [name, above[0]])).toEqual([
      ...['a', 'b', 'c', 'd', 'e'].map((name) => [name, 1]),
      ['other', 1],
    ]);
  });
});

it('ranks by metered, then by what a subscription covers, never by their sum', () => {
  const rows = [
    usageRow({ project: 'covered', subscriptionNanoUsd: usd(50) }),
    usageRow({ project: 'both', meteredNanoUsd: usd(2), subscriptionNanoUsd: usd(1) }),
    usageRow({ project: 'metered', meteredNanoUsd: usd(2), subscriptionNanoUsd: usd(9) }),
    usageRow({ project: 'little', subscriptionNanoUsd: usd(1) }),
    usageRow({ project: 'open', unknownBillingNanoUsd: usd(99) }),
  ];
  const names = ranked(rows, 'project').map(({ name }) => name);
  expect(names).toEqual(['metered', 'both', 'covered', 'little', 'open']);
});

it('takes the median of four such weekdays, all of them known; one without spend counts', () => {
  const day = '2026-11-22';
  const totals = [
    usageRow({ day: addDays(day, -7), meteredNanoUsd: usd(10) }),
    usageRow({ day: addDays(day, -14), meteredNanoUsd: usd(4) }),
    usageRow({ day: addDays(day, -28), meteredNanoUsd: usd(6) }),
    usageRow({ day: addDays(day, -1), meteredNanoUsd: usd(99) }),
  ];
  const metered = { unit: 'usd', billing: 'metered' } as const;
  expect(usualOf([day], totals, metered, addDays(day, -28))).toEqual([5]);
  expect(usualOf([day], totals, metered, addDays(day, -27))).toEqual([null]);
  const covered = { unit: 'usd', billing: 'subscription' } as const;
  expect(usualOf([day], totals, covered, addDays(day, -28))).toEqual([0]);
});
