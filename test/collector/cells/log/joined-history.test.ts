import { expect, it } from 'vitest';
import { joinedPosition } from '../../../../collector/cells/log/cell-positions.ts';
import { joinHistories } from '../../../../collector/cells/log/joined-history.ts';
import type { History, Seal } from '../../../../collector/log/history.ts';

function sealed(floorMs: number, superseded: Seal['superseded'] = null): Seal {
  return { sealId: `seal-${floorMs}`, floorMs, first: 4, last: 6, superseded };
}

/** Of a cell with this seal in force; the rest is not asked. */
function historyOf(seal: Seal | null): History {
  const notAsked = () => Promise.reject(new Error('not asked'));
  return {
    seal: async () => seal,
    settledFloorMs: async () => seal?.floorMs ?? 0,
    ...{ positionOf: notAsked, below: notAsked, countBelow: async () => 2 },
    ...{ enforce: notAsked, expire: notAsked },
  };
}

it('has the latest seal, with positions of its cell', async () => {
  const cells = [sealed(100), sealed(300, { first: 1, last: 2 }), null, sealed(200)];
  const { seal } = joinHistories(cells.map(historyOf));
  const at = (position: number) => joinedPosition({ cell: 1, position });
  expect(await seal()).toEqual({
    ...{ sealId: 'seal-300', floorMs: 300, first: at(4), last: at(6) },
    superseded: { first: at(1), last: at(2) },
  });
  expect(await joinHistories([historyOf(null)]).seal()).toBeNull();
  expect(await joinHistories([sealed(100)].map(historyOf)).seal()).toEqual(sealed(100));
});

it('deletes nothing above the lowest floor: another cell would take it in again', async () => {
  const floorOf = (...floors: readonly number[]) =>
    joinHistories(floors.map((floor) => historyOf(sealed(floor)))).settledFloorMs();
  expect(await floorOf(300, 100, 200)).toBe(100);
  expect(await joinHistories([sealed(100), null].map(historyOf)).settledFloorMs()).toBe(0);
});

it('counts what all cells have, and is only read', async () => {
  const history = joinHistories([sealed(100), null].map(historyOf));
  expect(await history.countBelow(50)).toBe(4);
  await expect(history.enforce(sealed(400))).rejects.toThrow('Cells are written one by one');
  await expect(history.expire(10)).rejects.toThrow('Cells are written one by one');
});
