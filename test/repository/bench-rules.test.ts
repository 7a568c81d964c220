/** What long benchmarks conclude from their figures. */
import { describe, expect, it } from 'vitest';
import { verdictOf } from '../../lab/bench/benchmark.ts';
import { growthRows } from '../../lab/bench/growth/rows.ts';
import { peakEventsPerSecond } from '../../lab/bench/organisation/arithmetic.ts';
import { pacedRows } from '../../lab/bench/organisation/one-worker-rows.ts';
import { flatnessOf, growthMax, type Sample } from '../../lab/bench/steady/flat.ts';
import { tableOf } from '../../lab/bench/written-table.ts';

function samples(heapBytes: (minute: number) => number): readonly Sample[] {
  return Array.from({ length: 120 }, (_, minute) => ({
    ...{ second: minute * 60, residentBytes: 3e8, fileBytes: 5e7, reservedBytes: 2e8 },
    ...{ heapBytes: heapBytes(minute), externalBytes: 1e6, descriptors: 40 },
  }));
}

function heapGrowth(heapBytes: (minute: number) => number): number {
  const { last, before } = flatnessOf(samples(heapBytes)).heapMegabytes;
  return last / before;
}

it('calls a heap flat that filled its caches in the first half', () => {
  expect(heapGrowth((minute) => 5e7 + 1e6 * Math.min(minute, 55))).toBe(1);
});

it('does not call a heap flat that grows by a megabyte a minute to the end', () => {
  expect(heapGrowth((minute) => 5e7 + 1e6 * minute)).toBeGreaterThan(growthMax);
});

it('divides what is resident into the heap, pages of files, and all else', () => {
  const { reservedMegabytes, fileMegabytes, otherMegabytes } = flatnessOf(samples(() => 1));
  expect([reservedMegabytes.last, fileMegabytes.last, otherMegabytes.last]).toEqual([200, 50, 50]);
});

it('says nothing of fewer samples than there are quarters', () => {
  expect(() => flatnessOf(samples(() => 1).slice(0, 3))).toThrow(/too few/);
});

it('puts the peak of fifty thousand developers at some 2,300 events a second', () => {
  expect(peakEventsPerSecond()).toBeCloseTo(2_318, 0);
});

describe('one worker at a rate of 100 events a second', () => {
  const spentAt = (second: number, cores: number) => ({
    ...{ atMs: second * 1_000, folded: second * 100, workerSeconds: second * cores },
    ...{ databaseSeconds: second / 2, workerBytes: 3e8 },
  });
  const rowsOf = (lags: readonly number[], cores = 0.5) => {
    const looks = lags.map((lag, index) => ({ spent: spentAt(10 * (index + 1), cores), lag }));
    return pacedRows('it', { rate: 100, lateMsMax: 1, looks, firstMinute: 0 }, '');
  };
  const verdicts = (lags: readonly number[], cores?: number) =>
    rowsOf(lags, cores).flatMap((row) => verdictOf(row) ?? []);

  it('holds where the lag at the end is no larger, or less than a second of it', () => {
    expect(verdicts([500, 900, 500])).toEqual(['met', 'met']);
    expect(verdicts([0, 0, 100])).toEqual(['met', 'met']);
  });

  it('does not hold where the lag grows, or with more than 80 % of a core', () => {
    expect(verdicts([500, 400, 501])).toEqual(['missed', 'met']);
    expect(verdicts([0, 0, 0], 0.81)).toEqual(['met', 'missed']);
  });

  it('counts what was spent after the first minute, for each event that was folded', () => {
    const measured = rowsOf([0, 0, 0]).map((row) => [row.what, row.measured, row.unit]);
    expect(measured).toEqual([
      ['it: lag at the end', 0, 'events'],
      ['it: worker', 0.5, 'cores'],
      ['it: worker, an event', 5_000, 'us'],
      ['it: database', 0.5, 'cores'],
      ['it: database, an event', 5_000, 'us'],
      ['it: folded', 100, 'events/s'],
    ]);
  });
});

it('leaves parts out that warmed a process up or repeated what an interrupted one sent', () => {
  const part = (events: number, cpuSeconds: number, more = {}) => ({
    ...{ kind: 'part' as const, seed: 1, events, accepted: 100, repeated: 0, seconds: 1 },
    ...{ cpuSeconds, serverCpuSeconds: 0, residentBytes: 1, partOfProcess: 2 },
    ...{ load: 1, commit: 'abc', ...more },
  });
  const rows = growthRows('a store', [
    part(100, 50, { partOfProcess: 1 }),
    part(200, 1),
    part(900, 50, { repeated: 30 }),
    part(1_000, 2),
  ]);
  expect(rows.at(-1)).toMatchObject({ measured: 0.5, unit: 'share' });
});

describe('the table of lab/benchmarks.md', () => {
  const stamp = { at: '2026-05-01T10:00:00.000Z', commit: 'abc', load: 3.4 };
  const row = { what: 'a | b', measured: 3, unit: 'ms' as const, budget: { max: 2 } };

  it('has the last run of each benchmark, and names those without one', () => {
    const earlier = { ...stamp, name: 'one', rows: [{ ...row, measured: 1 }] };
    const baseline = { what: 'bare', measured: 2 };
    const later = { ...stamp, name: 'one', rows: [row, { ...row, what: 'c', baseline }] };
    expect(tableOf(['one', 'two'], [earlier, later]).slice(2)).toEqual([
      '| `one`, 2026-05-01, abc, load 3 | a \\| b | 3 ms | <= 2 | missed |  |  |  |',
      '|  | c | 3 ms | <= 2 | missed | 2 ms bare | 1.50x |  |',
      '| `two` | not measured |  |  |  |  |  |  |',
    ]);
  });
});
