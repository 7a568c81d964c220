/**
 * Finds the file that a unit counts under: the first one that holds it. A copy that lost its price
 * (omp's `/tan` removes it) waits for a file that has the price, and counts only if there is none.
 * Pure.
 */

import type { Unit } from '../unit.ts';
import type { SeenUnits } from './seen-units.ts';

/** A unit as held by one file. */
export interface HeldUnit {
  readonly unitId: string;
  /** The index of the file. */
  readonly index: number;
  readonly unit: Unit;
  /** The unit is older than the file. */
  readonly inherited: boolean;
}

export interface FirstHolders<Held extends HeldUnit> {
  /** Call file by file, the oldest first. */
  add(held: Held): void;
  /** Call after the last file. */
  end(): void;
}

export interface FirstHoldersOptions<Held extends HeldUnit> {
  readonly seen: SeenUnits;
  onFirst(held: Held): void;
  /** `owner`: the index of the file that owns the unit. */
  onCopy(held: Held, owner: number): void;
}

export function createFirstHolders<Held extends HeldUnit>({
  seen,
  onFirst,
  onCopy,
}: FirstHoldersOptions<Held>): FirstHolders<Held> {
  const waiting = new Map<string, Held>();

  function take(held: Held): void {
    const owner = seen.add(held.unitId, held.index);
    if (owner === null) onFirst(held);
    else onCopy(held, owner);
  }

  return {
    add(held) {
      const { unitId } = held;
      if (seen.find(unitId) !== null) return take(held);
      const before = waiting.get(unitId);
      if (!lostItsPrice(held)) {
        waiting.delete(unitId);
        take(held);
        if (before !== undefined) onCopy(before, held.index);
      } else if (before === undefined) waiting.set(unitId, held);
      else onCopy(held, before.index);
    },
    end() {
      for (const held of waiting.values()) take(held);
      waiting.clear();
    },
  };
}

function lostItsPrice({ inherited, unit }: HeldUnit): boolean {
  return inherited && unit.reported && unit.priceSource === 'unpriced' && unit.claimKey === null;
}
