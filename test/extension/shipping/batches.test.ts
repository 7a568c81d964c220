import { limits } from '@pi-ledger/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventBytesMax, segmentBytesMax } from '../../../core/spool/spool.ts';
import { backoffFirstMs, backoffMaxMs, backoffMs } from '../../../extension/shipping/backoff.ts';
import {
  batchBytesMax,
  batchEventsMax,
  cutBatches,
  halve,
} from '../../../extension/shipping/shipment.ts';

describe('cutting lines into batches', () => {
  it('keeps every line, in order, within the limits', () => {
    const line = fc
      .oneof(
        fc.integer({ min: 1, max: 200 }),
        fc.integer({ min: batchBytesMax / 4, max: batchBytesMax * 2 }),
      )
      .map((n) => 'x'.repeat(n));
    fc.assert(
      fc.property(fc.array(line, { maxLength: 40 }), fc.nat({ max: 5 }), (lines, from) => {
        const ranges = cutBatches(lines, from);
        expect(ranges.flatMap((range) => lines.slice(range.from, range.to))).toEqual(
          lines.slice(from),
        );
        for (const range of ranges) {
          const batch = lines.slice(range.from, range.to);
          expect(batch.length).toBeGreaterThan(0);
          if (batch.length > 1)
            expect(Buffer.byteLength(`[${batch.join(',')}]`)).toBeLessThanOrEqual(
              batchBytesMax + 1,
            );
        }
      }),
      { numRuns: 50 },
    );
  });

  it('counts bytes, not characters', () => {
    expect(
      cutBatches(['€'.repeat(batchBytesMax / 4), '€'.repeat(batchBytesMax / 4)], 0),
    ).toHaveLength(2);
  });

  it('bounds the number of events', () => {
    expect(
      cutBatches(
        Array.from({ length: batchEventsMax * 2 + 1 }, () => '{}'),
        0,
      ).map(({ from, to }) => to - from),
    ).toEqual([batchEventsMax, batchEventsMax, 1]);
  });

  it('stays within the limits of the contract', () => {
    expect(batchEventsMax).toBeLessThanOrEqual(limits.batchEventsMax);
    for (const bytes of [batchBytesMax, eventBytesMax, segmentBytesMax]) {
      expect(bytes + 2).toBeLessThanOrEqual(
        Math.min(limits.bodyBytesMax, limits.decompressedBytesMax),
      );
    }
  });

  it('halves down to single events', () => {
    expect(halve({ from: 4, to: 9 })).toEqual([
      { from: 4, to: 7 },
      { from: 7, to: 9 },
    ]);
    expect(halve({ from: 4, to: 5 })).toBeNull();
  });
});

describe('the backoff', () => {
  it('doubles up to five minutes', () => {
    const ceilings = Array.from({ length: 12 }, (_, index) => backoffMs(index + 1, 1));
    expect(ceilings[0]).toBe(2 * backoffFirstMs);
    for (const [index, ceiling] of ceilings.entries())
      expect(ceiling).toBe(Math.min(backoffMaxMs, backoffFirstMs * 2 ** (index + 1)));
    expect(backoffMs(1_000_000, 1)).toBe(backoffMaxMs);
  });

  it('has full jitter: anything from nothing to the ceiling', () => {
    expect(backoffMs(5, 0)).toBe(0);
    expect(backoffMs(5, 0.5)).toBe(backoffMs(5, 1) / 2);
  });
});
