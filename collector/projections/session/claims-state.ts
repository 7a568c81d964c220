/** What a session's claims and accounts are kept as (claims.ts). */
import type { Amount } from '../amount.ts';
import { noAmounts } from '../spend-amounts.ts';
import { type Children, createChildren } from './children.ts';
import type { Claim } from './claim.ts';
import type { KeyedClaims } from './claim-group.ts';
import type { ResponseClaims } from './response-claims.ts';

export interface Claims extends ResponseClaims {
  /** There are too many: only `pool` counts, and the rest is empty. */
  isPooled: boolean;
  /** Sums over all keys: one claim for each provider, model and cost source. */
  readonly pool: { readonly accounted: Amount[]; readonly claims: Claim[] };
  /** By `agent:` and `turn:` keys, those included that only accounts have. */
  readonly keys: Map<string, KeyedClaims>;
  /** The number of claims under `agent:` and `turn:` keys. */
  sharedClaims: number;
  children: Children;
}

export function createClaims(): Claims {
  return {
    isPooled: false,
    pool: { accounted: noAmounts.slice(), claims: [] },
    keys: new Map(),
    sharedClaims: 0,
    responses: new Map(),
    children: createChildren(),
  };
}
