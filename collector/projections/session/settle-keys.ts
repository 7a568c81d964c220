/** Which claims may count otherwise after something was said, and counts them again. */
import { childrenOfResult, keysOfChild } from './children.ts';
import type { Claim } from './claim.ts';
import { groupClaims, settleGroup } from './claim-group.ts';
import type { Claims } from './claims-state.ts';
import type { Counting } from './regroup.ts';
import { keysOfSameRuns } from './repeated-results.ts';

/** Counts the claims under these keys again, and those that these subagents have to do with. */
export function settleKeys(
  claims: Claims,
  keys: readonly string[],
  children: Iterable<string>,
  counting: Counting,
): void {
  const due = new Set(keys);
  if (claims.children.results.size + claims.children.names.size > 0)
    for (const child of children)
      for (const key of keysOfChild(claims.children, child)) due.add(key);
  for (const key of due) {
    const keyed = claims.keys.get(key);
    if (keyed === undefined) continue;
    for (const group of groupClaims(claims, key, keyed)) settleGroup(group, counting);
  }
}

/** Counts the claims of a result again, and those of results that are about the same. */
export function settleResult(
  claims: Claims,
  key: string,
  { result }: Claim,
  counting: Counting,
): void {
  const keys = [key, ...keysOfSameRuns(claims.children, result)];
  settleKeys(claims, keys, childrenOfResult(claims.children, result), counting);
}
