import { describe, expect, it } from 'vitest';
import { addAccount, type ClaimBook, isExact } from '../../../collector/reconcile/claim-book.ts';
import { computeRests } from '../../../collector/reconcile/claims.ts';
import { accounted, book, claim } from './support/claims.ts';

const restOf = (made: ClaimBook, key = 'agent:A') => computeRests(made).get(key);

describe('what is left of claims', () => {
  it('is the whole claim while nobody accounts for it', () => {
    expect(restOf(book([claim()]))).toMatchObject({
      records: 1n,
      inputTokens: 100n,
      nanoUsd: 1_000n,
    });
  });

  it('is nothing when all tokens are accounted for, whatever the prices say', () => {
    expect(restOf(book([claim({ nanoUsd: 5_000 })], [['agent:A', 100]]))).toBeUndefined();
  });

  it('is what the claim has beyond, and counts as a record', () => {
    expect(restOf(book([claim()], [['agent:A', 60]]))).toMatchObject({
      records: 1n,
      inputTokens: 40n,
      nanoUsd: 400n,
    });
  });

  const late = claim({ timeMs: 2, input: 50 });
  const cheap = claim({ input: 50, nanoUsd: 0 });
  it.each([
    ['the older one', claim(), late, { records: 2n, inputTokens: 100n }],
    [
      'of the same time the one whose provider comes first',
      claim({ provider: 'b' }),
      claim({ input: 50, provider: 'a' }),
      { records: 1n },
    ],
    ['... none before any', claim({ provider: 'A' }), claim({ input: 50 }), { records: 1n }],
    [
      '... or whose model does',
      claim({ model: 'b' }),
      claim({ input: 50, model: 'a' }),
      { records: 1n },
    ],
    ['... none before any', claim({ model: 'A' }), claim({ input: 50 }), { records: 1n }],
    ['... or whose figures do, as text', claim(), cheap, { records: 2n, inputTokens: 100n }],
  ])('covers first, however they stand: %s', (_which, one, other, left) => {
    for (const claims of [
      [one, other],
      [other, one],
    ]) {
      expect(restOf(book(claims, [['agent:A', 50]]))).toMatchObject(left);
    }
  });

  it.each([
    [
      'a price without tokens counts',
      [claim({ input: 0, nanoUsd: 50, reported: true })],
      [],
      { records: 1n, nanoUsd: 50n },
    ],
    [
      'a price beyond counts where tokens are left',
      [claim({ nanoUsd: 5_000 }), late],
      [120],
      { records: 2n, inputTokens: 30n, nanoUsd: 4_300n },
    ],
    [
      'a price below what was accounted for is covered, not less than that',
      [claim({ nanoUsd: 10 })],
      [60],
      { inputTokens: 40n, nanoUsd: 0n },
    ],
    [
      'what an older claim used up is gone',
      [claim(), claim({ timeMs: 2 })],
      [100],
      { records: 1n, inputTokens: 100n, nanoUsd: 1_000n },
    ],
    [
      'a price that is left over goes to the next',
      [claim({ nanoUsd: 100 }), claim({ timeMs: 2 })],
      [110],
      { inputTokens: 90n, nanoUsd: 0n },
    ],
  ])('has prices and tokens apart: %s', (_what, claims, inputs, left) => {
    const accounts = inputs.map((input) => ['agent:A', input] as const);
    expect(restOf(book(claims, accounts))).toMatchObject(left);
  });

  it('counts no answer that reported nothing', () => {
    expect(
      restOf(book([claim({ claimKey: 'response:1', input: 0 })]), 'response:1'),
    ).toBeUndefined();
  });

  it('lets an answer told with and without its turn cover it, in any order', () => {
    const told = [
      ['response:1', 30],
      ['turn:turn-1 response:1', 30],
    ] as const;
    for (const accounts of [told, told.toReversed()]) {
      expect(
        restOf(book([claim({ claimKey: 'turn:turn-1' })], accounts), 'turn:turn-1'),
      ).toMatchObject({ inputTokens: 70n });
    }
  });

  it.each([
    [10_000, true],
    [10_001, false],
  ])('compares %d claims, sums and answers of a session one by one: %s', (count, exactly) => {
    const made = book(
      [claim(), claim()],
      [
        ['agent:A', 1],
        ['response:1', 1],
      ],
    );
    for (let number = 4; number < count; number++)
      addAccount(made, 'child', [`${number % 2 ? 'agent' : 'response'}:${number}`], accounted(1));
    expect(isExact(made)).toBe(exactly);
  });

  it('is nothing for a single answer that is accounted for at all', () => {
    expect(
      restOf(book([claim({ claimKey: 'response:1' })], [['response:1', 0]]), 'response:1'),
    ).toBeUndefined();
  });

  it('is not lowered by accounts under other keys', () => {
    expect(restOf(book([claim()], [['agent:B', 100]]))).toMatchObject({ inputTokens: 100n });
  });

  it('is a tool’s nested usage under its turn', () => {
    const tool = claim({ kind: 'tool', claimKey: null });
    expect(restOf(book([tool], [['turn:turn-1', 30]]), 'turn:turn-1')).toMatchObject({
      records: 1n,
      inputTokens: 70n,
    });
  });

  it('counts no claim of nothing', () => {
    expect(restOf(book([claim({ input: 0 })]))).toBeUndefined();
  });

  it('counts an answer once that is claimed twice', () => {
    const claims = [
      claim({ claimKey: 'response:1' }),
      claim({ claimKey: 'response:1', entryId: 'e2', timeMs: 2 }),
    ];
    expect(restOf(book(claims), 'response:1')).toMatchObject({ records: 1n, inputTokens: 100n });
  });

  it('lets an answer claimed on its own cover nothing of its turn’s sum', () => {
    const sum = claim({ claimKey: 'turn:turn-1' });
    const accounts = [
      ['turn:turn-1 response:1', 60],
      ['turn:turn-1 response:2', 30],
      ['turn:turn-1 response:2', 30],
    ] as const;
    const made = book([sum, claim({ claimKey: 'response:1', input: 60 })], accounts);
    expect(computeRests(made)).toEqual(
      new Map([['turn:turn-1', expect.objectContaining({ inputTokens: 70n })]]),
    );
  });
});
