/** The words of the footer: each kind of billing for itself, and what is not known. */
import { describe, expect, it } from 'vitest';
import { type FooterFacts, footerText } from '../../../../extension/command/footer/text.ts';
import { nothingSpent, type SpentTotals } from '../../../../extension/live/totals.ts';

function metered(cents: number, more: Partial<SpentTotals['metered']> = {}): SpentTotals {
  const nanoUsd = BigInt(cents) * 10_000_000n;
  return {
    ...nothingSpent(),
    metered: { ...nothingSpent().metered, records: 2, nanoUsd, ...more },
  };
}

const subscription = { ...nothingSpent().metered, records: 1, nanoUsd: 1_200_000_000n };
const known = { is: 'known', isPartial: false, isGrowing: false } as const;
const facts: FooterFacts = {
  session: metered(42),
  isSessionPartial: false,
  today: { ...known, spent: metered(610) },
  context: { tokens: 61_000, windowTokens: 100_000 },
  thresholdTokens: 100_000,
};

const text = (more: Partial<FooterFacts>) => footerText({ ...facts, ...more });

describe('the footer', () => {
  it('shows the session, today, and how far it is to the next compaction', () => {
    expect(text({})).toBe('$0.42 session · $6.10 today · ctx 61% (39k to compaction)');
    expect(text({ thresholdTokens: 61_700 })).toContain('ctx 61% (700 to compaction)');
    expect(text({ thresholdTokens: 2_061_000 })).toContain('(2.0M to compaction)');
    expect(text({ thresholdTokens: 50_000 })).toContain('ctx 61% (compaction is due)');
    expect(text({ thresholdTokens: null })).toMatch(/ctx 61%$/);
  });

  it('never adds what a subscription covers to a bill', () => {
    const both = { ...metered(42), subscription, unknown: { ...subscription, nanoUsd: 1n } };
    expect(text({ session: both })).toMatch(
      /^\$0\.42 \+ \$1\.20 \(sub\) \+ <\$0\.01 \(billing unknown\) session · \$6\.10 today · /,
    );
  });

  it('says what is not known', () => {
    expect(text({ today: { is: 'asking' } })).toContain(' session · today … · ctx');
    expect(text({ today: { is: 'unknown' } })).toContain(' session · today n/a · ctx');
    expect(text({ context: null })).toMatch(/ · ctx n\/a$/);
    expect(text({ context: { tokens: null, windowTokens: 9 } })).toMatch(/ · ctx n\/a$/);
    const unpriced = metered(0, { unpricedRecords: 2 });
    expect(text({ session: unpriced })).toMatch(/^n\/a session/);
  });

  it('marks what is at least so much, and what still grows', () => {
    expect(text({ isSessionPartial: true })).toMatch(/^≥ \$0\.42 session/);
    expect(text({ session: metered(42, { unpricedRecords: 1 }), isSessionPartial: true })).toMatch(
      /^≥ \$0\.42 session/,
    );
    expect(text({ today: { ...known, spent: metered(610), isPartial: true } })).toContain(
      '· ≥ $6.10 today',
    );
    expect(text({ today: { ...known, spent: metered(610), isGrowing: true } })).toContain(
      '· $6.10… today',
    );
  });
});
