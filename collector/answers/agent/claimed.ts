/** What a session's tool results say that subagents spent, and no subagent recorded. Pure. */
import type { AgentSpent } from '@pi-ledger/contract/answers';
import type { Claim } from '../../projections/session/claim.ts';
import type { Claims } from '../../projections/session/claims-state.ts';
import type { SessionState } from '../../projections/session/document.ts';
import { labelsAt } from '../../projections/session/timeline-labels.ts';
import { namedAmounts } from '../../projections/spend-amounts.ts';
import { type Part, spentOf } from './spent.ts';

export function claimedOf({ claims, timeline }: SessionState): AgentSpent {
  const parts = countedClaims(claims).map(({ atMs, provider, rest }): Part => {
    const { billing } = labelsAt(timeline, Math.floor(atMs / 60_000), provider);
    return { billing, measures: namedAmounts(rest) };
  });
  return spentOf(parts);
}

function countedClaims({ isPooled, pool, keys, responses }: Claims): readonly Claim[] {
  if (isPooled) return pool.claims;
  const shared = [...keys.values()].flatMap(({ claims }) => claims);
  const single = [...responses.values()].flatMap((each) =>
    each.is === 'claimed' ? [each.claim] : [],
  );
  return [...shared, ...single];
}
