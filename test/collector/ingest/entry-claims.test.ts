import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type OwnershipMove, planMoves } from '../../../collector/ingest/entry-claims.ts';
import type { LedgerEvent, Ownership } from '../../../contract/index.ts';
import { exampleEvent } from '../support/events.ts';

function claimOf(subject: string, ownership?: Ownership): LedgerEvent {
  const event = exampleEvent({ number: 1, subject });
  return ownership === undefined ? event : { ...event, ownership };
}

const first = claimOf('d', 'assumed');
/** Each is a better owner than the one before. */
const claims = [claimOf('c', 'named'), claimOf('b', 'unsure'), claimOf('a')];

function allMoves(): readonly OwnershipMove[] {
  const moves: OwnershipMove[] = [];
  for (const claim of claims)
    moves.push(...(planMoves(claim, [{ first, moves, withdrawn: 0 }]) as OwnershipMove[]));
  return moves;
}

it('moves an entry from owner to owner', () => {
  expect(allMoves().map(({ subject, data }) => `${data.role} ${subject}`)).toEqual([
    'out d',
    'in c',
    'out c',
    'in b',
    'out b',
    'in a',
  ]);
});

it('knows the present owner in whatever order a copied log has the moves', () => {
  const better = claimOf('0');
  fc.assert(
    fc.property(fc.shuffledSubarray([...allMoves()], { minLength: 6 }), (moves) => {
      const histories = [{ first, moves, withdrawn: 0 }];
      for (const claim of [first, ...claims]) expect(planMoves(claim, histories)).toEqual([]);
      expect(
        planMoves(better, histories).map(
          ({ subject, data }) => `${(data as OwnershipMove['data']).role} ${subject}`,
        ),
      ).toEqual(['out a', 'in 0']);
    }),
  );
});

it('finishes what a crash left between out and in', () => {
  const moves = allMoves().slice(0, 3);
  expect(
    planMoves(claims[1] as LedgerEvent, [{ first, moves, withdrawn: 0 }]).map(({ id }) => id),
  ).toEqual(
    allMoves()
      .slice(2, 4)
      .map(({ id }) => id),
  );
});

it('makes a withdrawn move again under another id, and tells the token of the claim', () => {
  const claim = { ...claimOf('a'), authenticatedtoken: 'e5' };
  const [before, again] = [0, 2].map((withdrawn) =>
    planMoves(claim, [{ first, moves: [], withdrawn }]),
  );
  const ids = [...(before ?? []), ...(again ?? [])].map(({ id }) => id);
  expect(new Set(ids).size).toBe(4);
  expect(before?.map(({ authenticatedtoken }) => authenticatedtoken)).toEqual(['e5', 'e5']);
});
