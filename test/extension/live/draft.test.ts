import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { liveDraft } from '../../../extension/live/draft.ts';

describe('a live event', () => {
  it('has its time as the platform writes it, whatever was written before', () => {
    const lastMs = 253_402_300_799_999;
    const times = fc.array(
      fc.oneof(
        fc.nat({ max: lastMs }),
        fc.nat({ max: 200_000 }),
        fc.constant(lastMs),
        fc.constant(59_999),
      ),
    );
    fc.assert(
      fc.property(times, (all) => {
        for (const ms of all) {
          const { time, id } = liveDraft('pi.session.ended.v1', 's', ms, {
            reason: null,
            durationMs: 0,
          });
          expect(time).toBe(new Date(ms).toISOString());
          expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(ms);
        }
      }),
    );
  });
});
