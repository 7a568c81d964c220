import type { UsageFineRow } from '@pi-ledger/contract/answers';
import { expect, test } from 'vitest';
import { formatLatency } from '../../../dashboards/web/format/latency.ts';
import {
  chargesAsk,
  failuresAsk,
  notNarrowedBy,
  repricedBesides,
  repriceQuery,
} from '../../../dashboards/web/views/models/asks.ts';
import { cachedBillings, estimateOf } from '../../../dashboards/web/views/models/cache-estimate.ts';
import { failureSeries } from '../../../dashboards/web/views/models/failure-series.ts';
import { latencyScale } from '../../../dashboards/web/views/models/latency.ts';
import { isWithoutCache, isWithoutErrors } from '../../../dashboards/web/views/models/nothing.ts';
import { priceList, recordedPrices } from '../../../dashboards/web/views/models/prices.ts';
import { usageRow } from './support/usage-row.ts';

const row: UsageFineRow = {
  day: '2026-11-20',
  billing: 'metered',
  records: 1,
  inputTokens: 1_000_000,
  outputTokens: 200_000,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
  nanoUsd: '6000000000',
  inputNanoUsd: '3000000000',
  outputNanoUsd: '3000000000',
  cacheReadNanoUsd: '0',
  cacheWriteNanoUsd: '0',
  unpricedRecords: 0,
  unreportedRecords: 0,
};

test('prices are averages of what was metered, and never of two kinds of billing', () => {
  const costlier = { ...row, inputNanoUsd: '5000000000' };
  const subscription = { ...row, billing: 'subscription', inputNanoUsd: '900000000000' } as const;
  const prices = { input: 4, output: 15, cache_read: 4, cache_write: 4 };
  expect(recordedPrices([row, costlier, subscription])).toEqual(prices);
  expect(recordedPrices([subscription])?.input).toBe(900);
});

test('what the model did at a price has its own one', () => {
  const cached = { ...row, cacheReadTokens: 3_000_000, cacheReadNanoUsd: '1000000000' };
  expect(recordedPrices([cached])).toMatchObject({ cache_read: 0.333333, cache_write: 3 });
});

test('what the model did for nothing stays free', () => {
  const read = { ...row, cacheReadTokens: 3_000_000 };
  expect(recordedPrices([read])).toMatchObject({ cache_read: 0, cache_write: 3 });
  const freeInput = { ...row, inputNanoUsd: '0', nanoUsd: '3000000000' };
  expect(recordedPrices([freeInput])).toMatchObject({ input: 0, output: 15 });
});

test('what a host does not split is no price of nothing', () => {
  const unsplit = { ...row, inputNanoUsd: '0', outputNanoUsd: '0' };
  expect(recordedPrices([unsplit])).toBeNull();
  expect(recordedPrices([row, unsplit])?.input).toBe(3);
});

test('the charges of a model are those of the scope, days as their spenders had them', () => {
  const parameters = {
    range: '7d',
    project: 'a&b',
    model: 'other',
    tz: 'Europe/Berlin',
    'label:a': 'b',
  };
  const place = { view: 'models', id: null, parameters } as const;
  const { url } = chargesAsk(place, { day: '2026-11-22' }, { provider: 'p', model: 'x' });
  expect(Object.fromEntries(new URL(url, 'http://page').searchParams)).toEqual({
    since: '2026-11-16',
    until: '2026-11-22',
    project: 'a&b',
    provider: 'p',
    model: 'x',
    limit: '1000',
  });
});

test('failed attempts of a long period are counted by week, each in its own', () => {
  const byOf = (range: string) => {
    const { url } = failuresAsk(
      { view: 'models', id: null, parameters: { range } },
      { day: '2026-11-22' },
    );
    return new URL(url, 'http://page').searchParams.get('by');
  };
  expect(byOf('90d')).toBe('day,stopReason');
  expect(byOf('1000d')).toBe('week,stopReason');
  const rows = [
    usageRow({ week: '2026-W47', stopReason: 'error', records: 3 }),
    usageRow({ week: '2026-W47', stopReason: 'aborted', records: 2 }),
  ];
  const above = failureSeries(rows, ['2026-W46', '2026-W47']).map((series) => series.above);
  expect(above).toEqual([
    [0, 3],
    [0, 2],
  ]);
});

test('what repricing does not follow is said', () => {
  const besides = (parameters: Record<string, string>) =>
    repricedBesides({ view: 'models', id: null, parameters });
  expect(besides({ project: 'p' })).toBeUndefined();
  expect(besides({ tz: 'Europe/Berlin', 'label:ticket': 'ABC' })).toBe(
    'not narrowed by tz; prices not narrowed by label:ticket',
  );
});

test('records without a price lower no average, and alone they have none', () => {
  const unpriced = { ...row, nanoUsd: '0', inputNanoUsd: '0', outputNanoUsd: '0' };
  expect(recordedPrices([row, { ...row, unpricedRecords: 1 }])?.input).toBe(3);
  expect(recordedPrices([unpriced])).toBeNull();
  expect(recordedPrices([])).toBeNull();
});

test('the price list has every model that has a name, by its provider', () => {
  const prices = { input: 1, output: 2, cache_read: 3, cache_write: 4 };
  const models = [
    { provider: 'a', model: 'x' },
    { provider: 'a', model: '__proto__' },
    { provider: null, model: 'y' },
  ];
  expect(JSON.parse(JSON.stringify(priceList(models, prices)))).toEqual(
    JSON.parse(`{"a":{"models":{"x":{"cost":${JSON.stringify(prices)}},
      "__proto__":{"cost":${JSON.stringify(prices)}}}}}`),
  );
});

test('repricing asks for the scope of the view', () => {
  const parameters = { range: '7d', project: 'a&b', 'label:ticket': 'ABC', tz: 'Europe/Berlin' };
  const query = repriceQuery({ view: 'models', id: null, parameters }, { day: '2026-11-22' });
  expect([...new URLSearchParams(query)]).toEqual([
    ['by', 'provider,model'],
    ['since', '2026-11-16'],
    ['until', '2026-11-22'],
    ['project', 'a&b'],
    ['label', 'ticket=ABC'],
  ]);
});

test('filters that an answer does not know are named', () => {
  const parameters = { 'label:ticket': 'ABC', model: 'x', project: 'p' };
  const place = { view: 'models', id: null, parameters } as const;
  expect(notNarrowedBy(place, ['model'])).toBe('not narrowed by label:ticket, model');
  expect(notNarrowedBy({ ...place, parameters: { project: 'p' } }, ['model'])).toBe('');
});

test('what a cache without a known price saved is not known; a part of it is', () => {
  const cached = { readsSavedNanoUsd: '0', writesExtraNanoUsd: '7', leftOutTokens: 5 };
  expect(estimateOf(cached, 'readsSavedNanoUsd')).toBeNull();
  expect(estimateOf(cached, 'writesExtraNanoUsd')).toBe(7n);
  expect(estimateOf({ ...cached, leftOutTokens: 0 }, 'readsSavedNanoUsd')).toBe(0n);
  expect(estimateOf({ ...cached, readsSavedNanoUsd: null }, 'readsSavedNanoUsd')).toBeNull();
});

test('what caches saved is told of each kind of money that they saved some of', () => {
  const none = { readsSavedNanoUsd: '0', writesExtraNanoUsd: '0', leftOutTokens: 0 };
  const some = { ...none, readsSavedNanoUsd: '7' };
  const nothing = { metered: none, subscription: none, unknown: none };
  expect(cachedBillings({ ...nothing, unknown: some })).toEqual(['unknown']);
  expect(cachedBillings({ ...nothing, subscription: some, unknown: some })).toEqual([
    ...['subscription', 'unknown'],
  ]);
  expect(cachedBillings({ ...nothing, metered: some })).toEqual(['metered']);
  const costly = { ...none, writesExtraNanoUsd: '2' };
  expect(cachedBillings({ ...nothing, unknown: costly })).toEqual(['unknown']);
  const notKnown = { ...none, readsSavedNanoUsd: null, leftOutTokens: 5 };
  expect(cachedBillings({ ...nothing, unknown: notKnown })).toEqual(['unknown']);
  expect([cachedBillings(nothing), cachedBillings(undefined)]).toEqual([['metered'], ['metered']]);
});

test.each([
  [8.43, '8.4 ms'],
  [999.4, '999 ms'],
  [999.6, '1.0 s'],
  [81_920, '81.9 s'],
  [204_000, '3.4 min'],
])('%d ms are %s', (ms, words) => {
  expect(formatLatency(ms)).toBe(words);
});

const timed = (half: number, most: number) => ({
  durationP50: { ms: half, is: 'interpolated' } as const,
  durationP95: { ms: most, is: 'interpolated' } as const,
});

test('ranges stand on one scale from 0; where they differ by far, on a logarithmic one', () => {
  const linear = latencyScale([timed(10_000, 20_000), timed(1_000, 2_000)], 100);
  expect(linear.words).toBe('on 0 to 20.0 s');
  expect([linear.x(0), linear.x(10_000)]).toEqual([0, 50]);
  const log = latencyScale([timed(10, 100), timed(1_000, 100_000)], 100);
  expect(log.words).toBe('on 10 ms to 100.0 s, logarithmic');
  expect([0, 1_000, 100_000].map((ms) => Math.round(log.x(ms)))).toEqual([0, 50, 100]);
  expect(latencyScale([{ durationP50: null, durationP95: null }], 100).words).toBe(
    'nothing was timed',
  );
});

test('a table has rows where one thing that it counts has happened, and nothing else', () => {
  const figures = {
    ...{ answers: 9, failedAnswers: 0, abortedAnswers: 0, cutOffAnswers: 0 },
    ...{ retries: null, retriesGivenUp: 0 },
  };
  expect(isWithoutErrors(figures)).toBe(true);
  for (const name of ['failedAnswers', 'abortedAnswers', 'cutOffAnswers', 'retries'] as const)
    expect(isWithoutErrors({ ...figures, [name]: 1 })).toBe(false);
  expect(isWithoutCache(usageRow({ inputTokens: 9 }))).toBe(true);
  expect(isWithoutCache(usageRow({ cacheReadTokens: 1 }))).toBe(false);
  expect(isWithoutCache(usageRow({ cacheWriteTokens: '9007199254740993' }))).toBe(false);
});
