/** One seal of all cells: deletion begins when every cell refuses what is below the floor. */
import { expect, it } from 'vitest';
import { joinSealers } from '../../../collector/cells/joined-sealer.ts';
import type { Sealer } from '../../../collector/seal/sealer.ts';

/** A cell whose events below any floor are `count`, and go when it is resumed after its seal. */
function cellOf(name: string, count: number, did: string[]): Sealer {
  let left = count;
  let isSealed = false;
  return {
    async seal({ floorMs, dryRun = false }) {
      if (dryRun) return { floorMs, events: left, documents: 0 };
      did.push(`seal ${name}`);
      isSealed = true;
      return { floorMs, events: 0, documents: count * 2 };
    },
    async resume() {
      did.push(`delete in ${name}`);
      if (isSealed) left = 0;
    },
    inForce: async () => null,
    stop: async () => undefined,
  };
}

it('seals each cell before any of them deletes, and says what all have deleted', async () => {
  const did: string[] = [];
  const cells = [cellOf('0', 3, did), cellOf('1', 5, did)];
  const sealer = joinSealers(cells);
  expect(await sealer.seal({ floorMs: 7 })).toEqual({ floorMs: 7, events: 8, documents: 16 });
  expect(did).toEqual(['seal 0', 'seal 1', 'delete in 0', 'delete in 1']);
});

it('only counts where that was asked', async () => {
  const did: string[] = [];
  const sealer = joinSealers([cellOf('0', 3, did), cellOf('1', 5, did)]);
  const dry = { floorMs: 7, dryRun: true };
  expect(await sealer.seal(dry)).toEqual({ floorMs: 7, events: 8, documents: 0 });
  expect(did).toEqual([]);
});
