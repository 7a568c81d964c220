/** Claims that differ: which of several accounts is too much, and what both sides say. */
import { describe, expect, it } from 'vitest';
import { type Accounted, addTo } from '../../../collector/reconcile/accounted.ts';
import { addAccount, type ClaimBook, noClaims } from '../../../collector/reconcile/claim-book.ts';
import { addUnit, noSums } from '../../../collector/reconcile/figures.ts';
import { createFindings } from '../../../collector/reconcile/findings.ts';
import { judgeClaims } from '../../../collector/reconcile/judge-claims.ts';
import type { LogFacts, LogSession } from '../../../collector/reconcile/log-facts.ts';
import type { Unit } from '../../../collector/reconcile/unit.ts';
import { accounted, book, claim } from './support/claims.ts';
import { emptyLog } from './support/empty-log.ts';

function session(sessionId: string, ofLog: ClaimBook, units: readonly Unit[] = []): LogSession {
  const sums = noSums();
  for (const unit of units) addUnit(sums, unit);
  return { sessionId, sums, book: ofLog, imported: true, firstMs: 0 };
}

/** What a parent's claims and a child's accounts come to. */
function judged(
  inFiles: ClaimBook,
  inLog: ClaimBook,
  says: readonly (readonly [key: string, input: number])[] = [],
) {
  const recorded = (kind: string, input: number) =>
    claim({ sessionId: 'child', kind, claimKey: null, turnEntryId: null, input });
  const units = [recorded('turn', 100), recorded('compaction', 30)];
  const sessions = [session('parent', inLog), session('child', noClaims(), units)];
  const byKey = new Map<string, Accounted>();
  for (const [key, input] of says) addTo(byKey, key, accounted(input));
  const log: LogFacts = {
    ...emptyLog,
    sessions: new Map(sessions.map((each) => [each.sessionId, each])),
    accountedByChild: new Map([['child', byKey]]),
  };
  const findings = createFindings();
  judgeClaims(new Map([['parent', inFiles]]), log, new Set(), findings);
  return { parent: findings.of('parent'), child: findings.of('child') };
}

describe('a claim that differs', () => {
  it('is explained where only tokens count less in the log, and its price is the same', () => {
    const inLog = book([claim()]);
    addAccount(inLog, 'child', ['agent:A'], { ...accounted(50), nanoUsd: 0n });
    const { parent } = judged(book([claim()]), inLog);
    expect(parent.map(({ reason, count }) => [reason, count])).toEqual([['subagent_claim', 2]]);
  });

  it('says what counts by the files and in the log', () => {
    const { parent } = judged(book([claim()], [['agent:A', 60]]), book([claim()]));
    expect(parent[0]).toMatchObject({
      reason: 'claim_differs',
      inFiles: expect.stringContaining('40'),
      inLog: expect.stringContaining('100'),
    });
  });

  it('is a fault of the subagent where one of its accounts is more than it recorded', () => {
    const claims = book([claim()], [['agent:A', 100]]);
    const accounts = [
      ['parent agent:A', 100],
      ['other agent:B', 101],
    ] as const;
    for (const says of [accounts, accounts.toReversed()])
      expect(judged(claims, claims, says).child).toEqual([
        {
          reason: 'claim_differs',
          explained: false,
          count: 1,
          inLog: 'more is accounted for than the subagent recorded',
        },
      ]);
    expect(judged(claims, claims, [['parent agent:A', 100]]).child).toEqual([]);
  });

  it('is one of what it spent beside its answers alone, by what it accounts for of that', () => {
    const faults = ([30, 31] as const).map(
      (input) => judged(noClaims(), noClaims(), [['parent beside:child', input]]).child.length,
    );
    expect(faults).toEqual([0, 1]);
  });
});
