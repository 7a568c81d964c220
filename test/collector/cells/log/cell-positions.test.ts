import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  cellPosition,
  cellsMax,
  joinedHead,
  joinedPosition,
  positionsPerCell,
  reachedIn,
} from '../../../../collector/cells/log/cell-positions.ts';

const place = fc.record({
  cell: fc.integer({ min: 0, max: cellsMax - 1 }),
  position: fc.integer({ min: 0, max: positionsPerCell - 1 }),
});

it('positions of cells come apart again, and are in the order in which cells are read', () => {
  fc.assert(
    fc.property(place, place, (one, other) => {
      expect(cellPosition(joinedPosition(one))).toEqual(one);
      const isBefore =
        one.cell < other.cell || (one.cell === other.cell && one.position < other.position);
      expect(joinedPosition(one) < joinedPosition(other)).toBe(isBefore);
    }),
  );
  expect(joinedPosition({ cell: cellsMax - 1, position: positionsPerCell - 1 })).toBe(
    Number.MAX_SAFE_INTEGER,
  );
});

it('a position in the first cell is that of its own log', () => {
  expect(joinedPosition({ cell: 0, position: 7 })).toBe(7);
});

it('the head is that of the last cell with an event', () => {
  expect(joinedHead([])).toBe(0);
  expect(joinedHead([0, 0])).toBe(0);
  expect(joinedHead([3, 9, 0])).toBe(joinedPosition({ cell: 1, position: 9 }));
});

it('what was reached is below the head exactly while a cell is behind', () => {
  const cells = fc.array(fc.tuple(fc.integer({ min: -3, max: 4 }), fc.nat(4)), { maxLength: 5 });
  fc.assert(
    fc.property(cells, (each) => {
      const heads = each.map(([, head]) => head);
      const positions = each.map(([position, head]) => (head === 0 ? 0 : Math.min(position, head)));
      const isBehind = positions.some((position, cell) => position < (heads[cell] ?? 0));
      expect(reachedIn(positions, heads) < joinedHead(heads)).toBe(isBehind);
    }),
  );
  const [behind, heads] = [
    [3, 2, 5],
    [3, 9, 5],
  ];
  expect(reachedIn(behind, heads)).toBe(joinedPosition({ cell: 1, position: 2 }));
});
