/**
 * Which file a unit counts under: the first that holds it. One that copied it and lost its price
 * waits whether another file has it whole (omp's `/tan` takes prices out of what it copies), and
 * counts only where none does. Pure.
 */

import type { Unit } from '../unit.ts';
import type { SeenUnits } from './seen-units.ts';

/** A unit as a file holds it. */
export interface HeldUnit {
  readonly place: string;
  /** Of the file. */
  readonly index: number;
  readonly unit: Unit;
  /** It is older than the file. */
  readonly inherited: boolean;
}

export interface FirstHolders<Held extends HeldUnit> {
  /** File after file, the oldest first. */
  add(held: Held): void;
  /** After the last file. */
  end(): void;
}

export interface FirstHoldersOptions<Held extends HeldUnit> {
  readonly seen: SeenUnits;
  onFirst(held: Held): void;
  /** `owner`: the index of the file that it is a copy of. */
  onCopy(held: Held, owner: number): void;
}

export function createFirstHolders<Held extends HeldUnit>({
  seen,
  onFirst,
  onCopy,
}: FirstHoldersOptions<Held>): FirstHolders<Held> {
  const waiting = new Map<string, Held>();

  function take(held: Held): void {
    const owner = seen.add(held.place, held.index);
    if (owner === null) onFirst(held);
    else onCopy(held, owner);
  }

  return {
    add(held) {
      const { place } = held;
      if (seen.find(place) !== null) return take(held);
      const before = waiting.get(place);
      if (!lostItsPrice(held)) {
        waiting.delete(place);
        take(held);
        if (before !== undefined) onCopy(before, held.index);
      } else if (before === undefined) waiting.set(place, held);
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
