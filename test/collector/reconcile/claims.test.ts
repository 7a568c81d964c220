import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Accounted, addAccount, type ClaimBook, noClaims, restsOf } from '../../../collector/reconcile/claims.ts';
import type { Unit } from '../../../collector/reconcile/unit.ts';

const tokens = (input: number) => ({ input, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0, cacheWrite1h: 0 });

function claim(over: Partial<Unit> & { input?: number } = {}): Unit {
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

function accounted(input: number): Accounted {
  return {
    inputTokens: BigInt(input),
    outputTokens: 0n,
    cacheReadTokens: 0n,
    cacheWriteTokens: 0n,
    reasoningTokens: 0n,
    nanoUsd: BigInt(input * 10),
  };
}

function book(claims: readonly Unit[], accounts: readonly (readonly [key: string, input: number])[] = []): ClaimBook {
  const made = noClaims();
  made.claims.push(...claims);
  for (const [key, input] of accounts) addAccount(made, key.split(' '), accounted(input));
  return made;
}

const restOf = (made: ClaimBook, key = 'agent:A') => restsOf(made).get(key);

describe('what is left of claims', () => {
  it('is the whole claim while nobody accounts for it', () => {
    expect(restOf(book([claim()]))).toMatchObject({ records: 1n, inputTokens: 100n, nanoUsd: 1_000n });
  });

  it('is nothing when all tokens are accounted for, whatever the prices say', () => {
    expect(restOf(book([claim({ nanoUsd: 5_000 })], [['agent:A', 100]]))).toBeUndefined();
  });

  it('is what the claim has beyond, and counts as a record', () => {
    expect(restOf(book([claim()], [['agent:A', 60]]))).toMatchObject({ records: 1n, inputTokens: 40n, nanoUsd: 400n });
  });

  it('covers the oldest claims first', () => {
    const claims = [claim({ entryId: 'late', timeMs: 2, input: 50 }), claim({ entryId: 'early', timeMs: 1 })];
    expect(restOf(book(claims, [['agent:A', 120]]))).toMatchObject({ records: 1n, inputTokens: 30n });
  });

  it('is nothing for a single answer that is accounted for at all', () => {
    expect(restOf(book([claim({ claimKey: 'response:1' })], [['response:1', 0]]), 'response:1')).toBeUndefined();
  });

  it('is not lowered by accounts under other keys', () => {
    expect(restOf(book([claim()], [['agent:B', 100]]))).toMatchObject({ inputTokens: 100n });
  });

  it('is a tool’s nested usage under its turn', () => {
    const tool = claim({ kind: 'tool', claimKey: null });
    expect(restOf(book([tool], [['turn:turn-1', 30]]), 'turn:turn-1')).toMatchObject({ records: 1n, inputTokens: 70n });
  });

  it('counts no claim of nothing', () => {
    expect(restOf(book([claim({ input: 0 })]))).toBeUndefined();
  });

  it('counts an answer once that is claimed twice', () => {
    const claims = [claim({ claimKey: 'response:1' }), claim({ claimKey: 'response:1', entryId: 'e2', timeMs: 2 })];
    expect(restOf(book(claims), 'response:1')).toMatchObject({ records: 1n, inputTokens: 100n });
  });

  it('lets an answer that is claimed by itself cover nothing of its turn’s sum, and any other answer once', () => {
    const sum = claim({ claimKey: 'turn:turn-1' });
    const accounts = [
      ['turn:turn-1 response:1', 60],
      ['turn:turn-1 response:2', 30],
      ['turn:turn-1 response:2', 30],
    ] as const;
    const made = book([sum, claim({ claimKey: 'response:1', input: 60 })], accounts);
    expect(restsOf(made)).toEqual(new Map([['turn:turn-1', expect.objectContaining({ inputTokens: 70n })]]));
  });

  it('does not depend on the order of claims and accounts', () => {
    const claims = [claim(), claim({ entryId: 'e2', timeMs: 2, input: 70 }), claim({ entryId: 'e3', claimKey: 'agent:B', input: 5 })];
    const accounts = [
      ['agent:A', 30],
      ['agent:A', 90],
      ['agent:B', 2],
    ] as const;
    const expected = restsOf(book(claims, accounts));
    const shuffled = fc.tuple(fc.shuffledSubarray(claims, { minLength: 3 }), fc.shuffledSubarray([...accounts], { minLength: 3 }));
    fc.assert(
      fc.property(shuffled, ([someClaims, someAccounts]) => {
        expect(new Map([...restsOf(book(someClaims, someAccounts))].sort())).toEqual(new Map([...expected].sort()));
      }),
    );
  });
});
