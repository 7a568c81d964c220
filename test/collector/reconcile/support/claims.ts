import type { Accounted } from '../../../../collector/reconcile/accounted.ts';
import {
  addAccount,
  type ClaimBook,
  noClaims,
} from '../../../../collector/reconcile/claim-book.ts';
import type { Unit } from '../../../../collector/reconcile/unit.ts';

const tokens = (input: number) => ({
  input,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  reasoning: 0,
  cacheWrite1h: 0,
});

export function claim(over: Partial<Unit> & { input?: number } = {}): Unit {
  const { input = 100, ...rest } = over;
  return {
    sessionId: 'parent',
    kind: 'claim',
    claimKey: 'agent:A',
    turnEntryId: 'turn-1',
    entryId: 'e1',
    timeMs: 1,
    provider: null,
    model: null,
    tokens: tokens(input),
    reported: input > 0,
    nanoUsd: input * 10,
    priceSource: 'catalog',
    identity: '',
    ...rest,
  };
}

export function accounted(input: number): Accounted {
  return {
    inputTokens: BigInt(input),
    outputTokens: 0n,
    cacheReadTokens: 0n,
    cacheWriteTokens: 0n,
    reasoningTokens: 0n,
    nanoUsd: BigInt(input * 10),
  };
}

export function book(
  claims: readonly Unit[],
  accounts: readonly (readonly [key: string, input: number])[] = [],
): ClaimBook {
  const made = noClaims();
  made.claims.push(...claims);
  for (const [key, input] of accounts) addAccount(made, 'child', key.split(' '), accounted(input));
  return made;
}
