import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { downSample } from '../../../../collector/answers/context/down-sample.ts';
import type { Point } from '../../../../collector/answers/context/series.ts';

describe('down-sampling', () => {
  const point = fc.record({
    kind: fc.constantFrom('turn', 'turn', 'turn', 'turn', 'compaction'),
    tokens: fc.option(fc.nat(1_000)),
  });

  it('keeps the ends, the lowest and highest, and compactions with their edges, in order', () => {
    fc.assert(
      fc.property(
        fc.array(point, { minLength: 1, maxLength: 300, size: 'max' }),
        fc.integer({ min: 4, max: 60 }),
        (given, pointsMax) => {
          const points = given as unknown as Point[];
          const kept = downSample(points, pointsMax);
          const figures = (of: readonly Point[]) => of.flatMap(({ tokens }) => tokens ?? []);
          expect([kept[0], kept.at(-1)]).toEqual([points[0], points.at(-1)]);
          expect([Math.min(...figures(kept)), Math.max(...figures(kept))]).toEqual([
            Math.min(...figures(points)),
            Math.max(...figures(points)),
          ]);
          const compactions = (of: readonly Point[]) =>
            of.filter(({ kind }) => kind === 'compaction');
          expect(compactions(kept)).toEqual(compactions(points));
          if (points.length > pointsMax)
            for (const [index, { kind }] of points.entries())
              if (kind === 'compaction')
                expect(kept).toEqual(
                  expect.arrayContaining(points.slice(Math.max(0, index - 1), index + 2)),
                );
          expect(kept).toEqual(points.filter((each) => kept.includes(each)));
          expect(kept.length).toBeLessThanOrEqual(
            Math.max(pointsMax, 3 * compactions(points).length + 4),
          );
        },
      ),
      { numRuns: 200 },
    );
  });
});
