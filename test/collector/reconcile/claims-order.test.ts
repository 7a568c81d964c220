import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { computeRests } from '../../../collector/reconcile/claims.ts';
import { book, claim } from './support/claims.ts';

describe('what is left of claims', () => {
  it('does not depend on the order of claims and accounts', () => {
    const claims = [
      claim(),
      claim({ entryId: 'e2', timeMs: 2, input: 70 }),
      claim({ entryId: 'e3', claimKey: 'agent:B', input: 5 }),
    ];
    const accounts = [
      ['agent:A', 30],
      ['agent:A', 90],
      ['agent:B', 2],
    ] as const;
    const expected = computeRests(book(claims, accounts));
    const shuffled = fc.tuple(
      fc.shuffledSubarray(claims, { minLength: 3 }),
      fc.shuffledSubarray([...accounts], { minLength: 3 }),
    );
    fc.assert(
      fc.property(shuffled, ([someClaims, someAccounts]) => {
        expect(new Map([...computeRests(book(someClaims, someAccounts))].sort())).toEqual(
          new Map([...expected].sort()),
        );
      }),
    );
  });

  it.each([
    ['says so', 'unpriced'],
    ['names a list for it', 'catalog'],
  ] as const)('is what has no price, of claims of one time: it %s', (_what, priceSource) => {
    const claims = [
      claim({ input: 1, nanoUsd: null, priceSource }),
      claim({ entryId: 'e2', input: 2, nanoUsd: 0 }),
    ];
    for (const some of [claims, claims.toReversed()])
      expect(computeRests(book(some, [['agent:A', 2]])).get('agent:A')).toMatchObject({
        records: 1n,
        inputTokens: 1n,
        unpricedRecords: 1n,
      });
  });
});
