import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isoWeekOf } from '../../../../collector/answers/spend/grouping.ts';
import { makeReport } from '../../../../collector/answers/usage/report.ts';
import type { SumRow } from '../../../../collector/views/views.ts';

const sum = (dimensions: Record<string, string>, measures: Record<string, bigint>): SumRow => ({
  dimensions,
  measures,
});

describe('a report', () => {
  it('keeps the amounts of the three kinds of billing apart', async () => {
    const sums = ['metered', 'subscription', 'unknown'].map((billing, index) =>
      sum({ project: 'p', billing }, { records: 1n, nanoUsd: BigInt(index + 1) }),
    );
    expect((await makeReport(['project'], sums)).rows).toMatchObject([
      {
        labels: { project: 'p' },
        place: [{ label: 'p', rank: [1n, 2n, 3n, 0n] }],
        figures: {
          records: 3,
          meteredNanoUsd: '1',
          subscriptionNanoUsd: '2',
          unknownBillingNanoUsd: '3',
        },
      },
    ]);
  });

  it('is sorted by metered dollars, then by what plans cover, then by the rest', async () => {
    const row = (project: string, billing: string, nanoUsd: bigint) =>
      sum({ project, billing }, { records: 1n, nanoUsd });
    const report = await makeReport(
      ['project'],
      [
        row('open', 'unknown', 900n),
        row('covered', 'subscription', 500n),
        row('both', 'metered', 1n),
        row('both', 'subscription', 2n),
        row('metered', 'metered', 2n),
      ],
    );
    const names = report.rows.map(({ labels }) => labels.project);
    expect(names).toEqual(['metered', 'both', 'covered', 'open']);
  });

  it('is sorted by cost, then tokens, then name', async () => {
    const row = (project: string, nanoUsd: bigint, outputTokens: bigint) =>
      sum({ project, billing: 'metered' }, { nanoUsd, outputTokens });
    const { rows } = await makeReport(
      ['project'],
      [row('b', 1n, 5n), row('a', 1n, 5n), row('c', 1n, 9n), row('d', 2n, 0n), row('', 3n, 0n)],
    );
    expect(rows.map(({ labels }) => labels.project)).toEqual([null, 'd', 'c', 'a', 'b']);
  });

  it('has rows that add up to its total, whatever it is by', async () => {
    const billing = fc.constantFrom('metered', 'subscription', 'unknown');
    const day = fc.constantFrom('2026-01-01', '2026-11-22', '2025-12-31', '2024-12-30');
    const amount = fc.bigInt({ min: -(2n ** 60n), max: 2n ** 60n });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(day, billing, amount)),
        fc.constantFrom('day' as const, 'week' as const, 'month' as const),
        async (given, by) => {
          const { rows, total } = await makeReport(
            [by],
            given.map(([d, b, nanoUsd]) => sum({ day: d, billing: b }, { nanoUsd, records: 1n })),
          );
          for (const name of [
            'meteredNanoUsd',
            'subscriptionNanoUsd',
            'unknownBillingNanoUsd',
          ] as const) {
            expect(
              rows.reduce((all, { figures }) => all + BigInt(figures[name]), 0n).toString(),
            ).toBe(total[name]);
          }
          expect(rows.reduce((all, { figures }) => all + figures.records, 0)).toBe(total.records);
          const labels = rows.map((row) => row.labels[by]);
          expect(labels).toEqual(labels.toSorted());
        },
      ),
    );
  });
});

describe('the ISO week of a day', () => {
  it.each([
    ['2026-11-22', '2026-W47'],
    ['2026-11-23', '2026-W48'],
    ['2026-01-01', '2026-W01'],
    ['2027-01-01', '2026-W53'],
    ['2027-01-03', '2026-W53'],
    ['2027-01-04', '2027-W01'],
    ['2024-12-30', '2025-W01'],
    ['2023-01-01', '2022-W52'],
    ['2020-12-31', '2020-W53'],
  ])('%s is %s', (day, week) => {
    expect(isoWeekOf(day)).toBe(week);
  });

  it('changes on Mondays only', () => {
    fc.assert(
      fc.property(fc.integer({ min: -20_000, max: 60_000 }), (days) => {
        const dayOf = (n: number) => new Date(n * 86_400_000).toISOString().slice(0, 10);
        const isMonday = new Date((days + 1) * 86_400_000).getUTCDay() === 1;
        expect(isoWeekOf(dayOf(days)) !== isoWeekOf(dayOf(days + 1))).toBe(isMonday);
      }),
    );
  });
});
