/** Which accounts of subagents cover which claims: by key, by tie, by time; and what is left. */
import { describe, expect, it } from 'vitest';
import {
  addAccount,
  type ClaimBook,
  isExact,
  noClaims,
} from '../../../collector/reconcile/claim-book.ts';
import { computeRests, restsOfGroups } from '../../../collector/reconcile/claims.ts';
import { addName, addRef } from '../../../collector/reconcile/ties.ts';
import type { Unit } from '../../../collector/reconcile/unit.ts';
import { accounted, claim } from './support/claims.ts';

interface Given {
  readonly claims?: readonly Unit[];
  readonly accounts?: readonly (readonly [
    child: string,
    keys: string,
    input: number,
    timeMs?: number,
  ])[];
  /** By tool result: what it is about. */
  readonly refs?: Readonly<Record<string, readonly string[]>>;
  /** By subagent: what it is called. */
  readonly names?: Readonly<Record<string, string>>;
}

function bookOf({ claims = [], accounts = [], refs = {}, names = {} }: Given): ClaimBook {
  const book = noClaims();
  book.claims.push(...claims);
  for (const [child, keys, input, timeMs] of accounts)
    addAccount(book, child, keys.split(' '), accounted(input), timeMs);
  for (const [entryId, list] of Object.entries(refs))
    for (const ref of list) addRef(book.ties, entryId, ref);
  for (const [child, name] of Object.entries(names)) addName(book.ties, child, name);
  return book;
}

/** By the tool results whose claims share what covers them: the input that is left. */
function leftOf(given: Given): Record<string, number> {
  const groups = restsOfGroups(bookOf(given)).map(({ claims, rest }) => [
    claims
      .map(({ entryId }) => entryId)
      .sort()
      .join('+'),
    Number(rest.inputTokens),
  ]);
  return Object.fromEntries(groups);
}

/** A sum of the turn `turn:T` that a tool result says. */
const sumOf = (entryId: string, input: number, timeMs = 100) =>
  claim({ claimKey: 'turn:T', entryId, input, timeMs });

type Case = readonly [what: string, given: Given, left: Record<string, number>];

describe('a sum of a turn', () => {
  const [e1, e2, e3] = [sumOf('e1', 100), sumOf('e2', 50), sumOf('e3', 80)];
  const about = (...children: readonly string[]) => children.map((child) => `session:${child}`);

  it.each<Case>([
    [
      'what subagents account for under the turn, with the others of the turn',
      {
        claims: [e1, e2],
        accounts: [
          ['x', 'turn:T', 90],
          ['y', 'turn:T', 20],
        ],
      },
      { 'e1+e2': 40 },
    ],
    [
      'the subagents that its result is about',
      { claims: [e1, e2], accounts: [['x', 'session:x', 70]], refs: { e1: about('x') } },
      { e1: 30, e2: 50 },
    ],
    [
      '... which cover nothing else',
      { claims: [e1, e2], accounts: [['x', 'turn:T', 190]], refs: { e1: about('x') } },
      { e1: 0, e2: 50 },
    ],
    [
      '... all that they account for, whatever the key',
      {
        claims: [e1],
        accounts: [
          ['x', 'session:x', 20],
          ['x', 'turn:U', 10],
          ['x', 'agent:A', 5],
        ],
        refs: { e1: about('x') },
      },
      { e1: 65 },
    ],
    [
      '... also by another name that they have',
      {
        claims: [e1, e2],
        accounts: [['x', 'session:x', 70]],
        refs: { e1: ['file:a/b/c'] },
        names: { x: 'file:a/b/c' },
      },
      { e1: 30, e2: 50 },
    ],
    [
      'the same as without a tie, where the subagent accounts for nothing',
      { claims: [e1, e2], accounts: [['y', 'turn:T', 120]], refs: { e1: about('x') } },
      { 'e1+e2': 30 },
    ],
    [
      'nobody, where the subagent’s only answer is claimed on its own',
      {
        claims: [e1, e2, claim({ claimKey: 'response:1', entryId: 'e9', input: 30 })],
        accounts: [
          ['x', 'session:x response:1', 30],
          ['y', 'turn:T', 150],
        ],
        refs: { e1: about('x') },
      },
      { e1: 100, e2: 0, e9: 0 },
    ],
    [
      'what two results of the turn share, together',
      {
        claims: [e1, e2],
        accounts: [['x', 'session:x', 120]],
        refs: { e1: about('x'), e2: about('x') },
      },
      { 'e1+e2': 30 },
    ],
    [
      'what each is about, apart',
      {
        claims: [e1, e2],
        accounts: [
          ['x', 'session:x', 150],
          ['y', 'session:y', 10],
        ],
        refs: { e1: about('x'), e2: about('y') },
      },
      { e1: 0, e2: 40 },
    ],
    [
      'what several share by way of others, together',
      {
        claims: [e1, e2, e3],
        accounts: [
          ['x', 'session:x', 100],
          ['y', 'session:y', 100],
          ['z', 'session:z', 9],
        ],
        refs: { e1: about('x'), e2: about('y'), e3: about('x', 'y', 'z') },
      },
      { 'e1+e2+e3': 21 },
    ],
    [
      'what some of them share, together, and another apart',
      {
        claims: [e1, e2, e3],
        accounts: [
          ['x', 'session:x', 10],
          ['y', 'session:y', 20],
          ['z', 'session:z', 30],
        ],
        refs: { e1: about('x', 'z'), e2: about('y'), e3: about('x') },
      },
      { 'e1+e3': 140, e2: 30 },
    ],
  ])('is covered by %s', (_what, given, left) => expect(leftOf(given)).toEqual(left));

  it('keeps a subagent for itself only while it claims something', () => {
    const given = { accounts: [['x', 'turn:T', 50]] as const, refs: { e1: about('x') } };
    expect(leftOf({ ...given, claims: [e1, e2] })).toEqual({ e1: 50, e2: 50 });
    expect(leftOf({ ...given, claims: [sumOf('e1', 0), e2] })).toEqual({ e2: 0 });
  });

  it('alone has ties: a claim of an agent by its name is covered under that name', () => {
    const named = claim({ claimKey: 'agent:A', entryId: 'e1' });
    const accounts = [
      ['x', 'session:x', 100],
      ['x', 'turn:T', 50],
    ] as const;
    const refs = { e1: about('x') };
    expect(leftOf({ claims: [named, e2], accounts, refs })).toEqual({ e1: 100, e2: 0 });
  });
});

describe('a claim of an agent by its name', () => {
  const claims = [claim({ claimKey: 'agent:A', entryId: 'e1' })];

  it.each<Case>([
    ['under that name', { claims, accounts: [['x', 'agent:A', 60]] }, { e1: 40 }],
    [
      'without one, if it has that name',
      { claims, accounts: [['x', 'session:x', 60]], names: { x: 'agent:A' } },
      { e1: 40 },
    ],
    [
      'both ways',
      {
        claims,
        accounts: [
          ['x', 'agent:A', 10],
          ['x', 'session:x', 60],
        ],
        names: { x: 'agent:A' },
      },
      { e1: 30 },
    ],
    ['without a name', { claims, accounts: [['x', 'session:x', 60]] }, { e1: 100 }],
    [
      'under another name',
      { claims, accounts: [['x', 'session:x', 60]], names: { x: 'agent:B' } },
      { e1: 100 },
    ],
    [
      'for another turn',
      { claims, accounts: [['x', 'turn:T', 60]], names: { x: 'agent:A' } },
      { e1: 100 },
    ],
  ])('is covered by what a subagent accounts for %s', (_what, given, left) => {
    expect(leftOf(given)).toEqual(left);
  });
});

describe('what hosts spent beside answers, and what tools spent', () => {
  const claims = [sumOf('e1', 100)];
  const refs = { e1: ['session:x'] };
  const own = ['x', 'session:x', 60] as const;

  it.each<Case>([
    ['it is what is left', { claims, accounts: [own, ['x', 'beside:x', 40]], refs }, { e1: 0 }],
    ['tools spent that', { claims, accounts: [own, ['x', 'tools:', 40]], refs }, { e1: 0 }],
    [
      'an answer that is in no sum does, as what tools spent',
      { claims, accounts: [own, ['x', 'response:9', 40]], refs },
      { e1: 0 },
    ],
    [
      'both together are that',
      { claims, accounts: [own, ['x', 'beside:x', 10], ['x', 'tools:', 30]], refs },
      { e1: 0 },
    ],
    [
      'several together are that',
      { claims, accounts: [own, ['x', 'beside:x', 15, 1], ['x', 'beside:x', 25, 2]], refs },
      { e1: 0 },
    ],
    [
      'they were spent when the claim was made',
      { claims, accounts: [own, ['x', 'beside:x', 40, 100]], refs },
      { e1: 0 },
    ],
    [
      'without a tie, too',
      {
        claims,
        accounts: [
          ['x', 'turn:T', 60],
          ['x', 'beside:x', 40],
        ],
      },
      { e1: 0 },
    ],
  ])('cover a claim where %s', (_what, given, left) => expect(leftOf(given)).toEqual(left));

  it.each<Case>([
    ['less is left', { claims, accounts: [own, ['x', 'beside:x', 41]], refs }, { e1: 40 }],
    ['more is left', { claims, accounts: [own, ['x', 'tools:', 39]], refs }, { e1: 40 }],
    [
      'they were spent later',
      { claims, accounts: [own, ['x', 'beside:x', 40, 101]], refs },
      { e1: 40 },
    ],
    [
      'such an answer is claimed on its own',
      {
        claims: [...claims, claim({ claimKey: 'response:9', entryId: 'e9', input: 40 })],
        accounts: [own, ['x', 'response:9', 40]],
        refs,
      },
      { e1: 40, e9: 0 },
    ],
    [
      'another subagent did',
      { claims, accounts: [own, ['y', 'beside:y', 40], ['y', 'session:y', 0]], refs },
      { e1: 40 },
    ],
  ])('cover nothing where %s', (_what, given, left) => expect(leftOf(given)).toEqual(left));

  it('cover a claim only if every kind of token is the same', () => {
    const book = bookOf({ claims, accounts: [own], refs });
    addAccount(book, 'x', ['beside:x'], { ...accounted(40), outputTokens: 1n });
    expect(computeRests(book).get('turn:T')).toMatchObject({ inputTokens: 40n });
  });

  it('cover a claim until the last of those that share it', () => {
    const two = [sumOf('e1', 60, 10), sumOf('e2', 80, 20)];
    const accounts = [
      ['x', 'turn:T', 100],
      ['x', 'beside:x', 40, 15],
    ] as const;
    expect(leftOf({ claims: two, accounts })).toEqual({ 'e1+e2': 0 });
  });

  it('leave a price that was claimed without tokens', () => {
    const free = claim({ claimKey: 'turn:T', entryId: 'e1', input: 0, nanoUsd: 5, reported: true });
    expect(computeRests(bookOf({ claims: [free], refs })).get('turn:T')).toMatchObject({
      nanoUsd: 5n,
    });
  });
});

describe('what a subagent spent after a claim was made', () => {
  it.each<Case>([
    [
      'covers nothing of it',
      { claims: [sumOf('e1', 100, 10)], accounts: [['x', 'turn:T', 60, 11]] },
      { e1: 100 },
    ],
    [
      'is not what it spent at that moment',
      { claims: [sumOf('e1', 100, 10)], accounts: [['x', 'turn:T', 60, 10]] },
      { e1: 40 },
    ],
    [
      'covers later claims',
      {
        claims: [sumOf('e1', 100, 10), sumOf('e2', 100, 20)],
        accounts: [['x', 'turn:T', 150, 15]],
      },
      { 'e1+e2': 100 },
    ],
    [
      '... in whatever order it is told',
      {
        claims: [sumOf('e1', 100, 10), sumOf('e2', 30, 20)],
        accounts: [
          ['x', 'turn:T', 60, 15],
          ['x', 'turn:T', 50, 5],
        ],
      },
      { 'e1+e2': 50 },
    ],
    [
      'covers nothing of it, though its result is about the subagent',
      {
        claims: [sumOf('e1', 100, 10)],
        accounts: [['x', 'session:x', 60, 11]],
        refs: { e1: ['session:x'] },
      },
      { e1: 100 },
    ],
    [
      'covers it by name: omp’s names are of one run',
      {
        claims: [claim({ claimKey: 'agent:A', entryId: 'e1', timeMs: 10 })],
        accounts: [['x', 'agent:A', 60, 11]],
      },
      { e1: 40 },
    ],
  ])('%s', (_what, given, left) => expect(leftOf(given)).toEqual(left));
});

describe('an answer that is accounted for twice', () => {
  const claims = [sumOf('e1', 100, 10)];

  it.each<[what: string, accounts: NonNullable<Given['accounts']>, left: number]>([
    [
      'the earlier time',
      [
        ['x', 'turn:T response:1', 30, 5],
        ['x', 'turn:T response:1', 30, 20],
      ],
      70,
    ],
    [
      'the earlier time, whichever of two subagents that is',
      [
        ['b', 'turn:T response:1', 30, 5],
        ['a', 'turn:T response:1', 30, 20],
      ],
      70,
    ],
    [
      'the sum that one of them is part of, though that is later',
      [
        ['x', 'turn:T response:1', 30, 5],
        ['x', 'response:1', 30, 1],
      ],
      70,
    ],
    [
      'the sum that one of them is part of, though that is too late',
      [
        ['x', 'turn:T response:1', 30, 20],
        ['x', 'response:1', 30, 1],
      ],
      100,
    ],
  ])('counts with %s', (_what, accounts, left) => {
    for (const order of [accounts, accounts.toReversed()])
      expect(leftOf({ claims, accounts: order })).toEqual({ e1: left });
  });

  it('counts for one subagent at the same time, whoever says it first', () => {
    const accounts = ['a', 'b'].map((child) => [child, 'turn:T response:1', 30, 5] as const);
    const two = [...claims, sumOf('e2', 50, 10)];
    for (const order of [accounts, accounts.toReversed()]) {
      const leftBy = (child: string) =>
        leftOf({ claims: two, accounts: order, refs: { e1: [`session:${child}`] } });
      expect(leftBy('a')).toEqual({ e1: 70, e2: 50 });
      expect(leftBy('b')).toEqual({ 'e1+e2': 120 });
    }
  });
});

describe('claims are compared one by one', () => {
  const count = (length: number, add: (book: ClaimBook, number: number) => void) => {
    const book = noClaims();
    for (let number = 0; number < length; number += 1) add(book, number);
    return isExact(book);
  };
  const account = (keys: string, timeMs?: (number: number) => number) => {
    return (book: ClaimBook, number: number) =>
      addAccount(
        book,
        'x',
        keys.replace('#', String(number)).split(' '),
        accounted(1),
        timeMs?.(number),
      );
  };

  it.each<[what: string, most: number, add: (book: ClaimBook, number: number) => void]>([
    ['claims', 10_000, ({ claims }) => claims.push(claim())],
    ['keys', 10_000, account('agent:A#')],
    ['times of a turn', 9_999, account('turn:T', (number) => number)],
    ['times of a subagent', 9_999, account('session:x', (number) => number)],
    ['times of what was spent beside', 9_999, account('beside:x', (number) => number)],
    ['times of what tools spent', 9_999, account('tools:', (number) => number)],
    ['answers', 10_000, account('response:#')],
    ['times of answers in no sum', 10_000, account('response:1', (number) => number)],
    ['ties', 10_000, ({ ties }, number) => addRef(ties, `e${number}`, 'session:x')],
  ])('up to ten thousand of these: %s', (_what, most, add) => {
    expect(count(most, add)).toBe(true);
    expect(count(most + 1, add)).toBe(false);
  });

  it.each([
    ['an agent’s name', 'agent:A', (number: number) => number],
    ['a turn, at one time', 'turn:T', () => 7],
  ])('however often one is accounted for under %s', (_what, keys, timeMs) => {
    expect(count(20_000, account(keys, timeMs))).toBe(true);
  });
});
