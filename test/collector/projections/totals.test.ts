import { describe, expect, it } from 'vitest';
import { totals } from '../../../collector/projections/totals.ts';
import { usage } from '../../../collector/projections/usage.ts';
import { sessions } from './support/bare-sessions.ts';
import { fold } from './support/fold.ts';
import { attributed, turn } from './support/given.ts';

describe('totals', () => {
  it('count under what is known when they are folded, stay there, and never fall', () => {
    const folded = fold(sessions, [
      turn('2026-11-22T10:00:00.000Z', { costNanoUsd: 1 }),
      attributed('2026-11-22T09:00:00.000Z', { project: 'shop', billing: {} }),
      turn('2026-11-22T10:00:30.000Z', { costNanoUsd: 10 }),
      attributed('2026-11-22T09:30:00.000Z', {
        project: 'side',
        billing: { anthropic: 'metered' },
      }),
      turn('2026-11-22T10:00:40.000Z', { costNanoUsd: 100 }),
    ]);
    expect(folded.sums(totals, 'nanoUsd', 'project', 'billing')).toEqual({
      ',unknown': 1n,
      'shop,unknown': 10n,
      'side,metered': 100n,
    });
    expect(folded.sums(usage, 'nanoUsd', 'project', 'billing')).toEqual({ 'side,metered': 111n });
    const fallen = folded.emitted.filter(
      ({ rollup, measures }) => rollup === totals && measures.some((measure) => measure < 0n),
    );
    expect(fallen).toEqual([]);
  });
});
