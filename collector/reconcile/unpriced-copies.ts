/**
 * Records that only copies without their price tell of (omp's `/tan` takes it out of what it
 * copies). Where the log has the same unit with its price, the copy is none; the views decide the
 * same by sums of a minute.
 */
import { isUnpricedCopy, type LogRow, readEvent } from './log-events.ts';
import type { Unit } from './unit.ts';

export interface UnpricedCopies {
  /** `times`: -1 when it was given to another session. */
  add(unit: Unit, times?: 1 | -1): void;
  /**
   * Those that are no copies of what stands in the log once more, each once. Looks through the log
   * only where there are any.
   */
  settle(rows: () => AsyncIterable<LogRow>): Promise<readonly Unit[]>;
  /** Of `settle`: it has found the unit that this one is a copy of. */
  isLeft(unit: Unit): boolean;
}

export function createUnpricedCopies(): UnpricedCopies {
  const counted = new Map<string, { readonly unit: Unit; times: number }>();
  const left = new Set<string>();
  return {
    add(unit, times = 1) {
      const known = counted.get(keyOf(unit)) ?? { unit, times: 0 };
      known.times += times;
      counted.set(keyOf(unit), known);
    },
    async settle(rows) {
      if (counted.size === 0) return [];
      for await (const row of rows()) {
        const key = whollyKnown(row);
        if (key !== null && counted.has(key)) left.add(key);
      }
      return [...counted].flatMap(([key, { unit, times }]) =>
        times > 0 && !left.has(key) ? [unit] : [],
      );
    },
    isLeft: (unit) => left.has(keyOf(unit)) && unit.priceSource === 'unpriced',
  };
}

function keyOf({ sessionId, identity }: Unit): string {
  return `${identity} ${sessionId}`;
}

/** Of a unit that is no copy without a price, where it stands or was moved to. */
function whollyKnown({ event }: LogRow): string | null {
  const said = readEvent(event);
  if (said.about === 'unit')
    return isUnpricedCopy(event.ownership, said.unit) ? null : keyOf(said.unit);
  return said.about === 'move' && said.move.isIn && !said.move.isCopy
    ? keyOf(said.move.unit)
    : null;
}
