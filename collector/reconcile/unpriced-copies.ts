/**
 * Records known only from copies without their price (omp's `/tan` removes it). Where the log has
 * the same unit with its price, the copy does not count; the views decide the same by sums per
 * minute.
 */
import { isUnpricedCopy, type LogRow, readEvent } from './log-events.ts';
import type { Unit } from './unit.ts';

export interface CopiesWithoutPrice {
  /** `times`: -1 when it was moved to another session. */
  add(unit: Unit, times?: 1 | -1): void;
  /**
   * Returns the units of which the log has no record with a price, each once. Reads the log only
   * when there are copies.
   */
  settle(rows: () => AsyncIterable<LogRow>): Promise<readonly Unit[]>;
  /** Whether `settle` has found the unit that this is a copy of. */
  isLeft(unit: Unit): boolean;
}

export function createUnpricedCopies(): CopiesWithoutPrice {
  const counted = new Map<string, { readonly unit: Unit; times: number }>();
  const left = new Set<string>();
  return {
    add(unit, times = 1) {
      const known = counted.get(copyKey(unit)) ?? { unit, times: 0 };
      known.times += times;
      counted.set(copyKey(unit), known);
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
    isLeft: (unit) => left.has(copyKey(unit)) && unit.priceSource === 'unpriced',
  };
}

function copyKey({ sessionId, identity }: Unit): string {
  return `${identity} ${sessionId}`;
}

/** The key of a unit other than a copy without a price, in the session where it counts. */
function whollyKnown({ event }: LogRow): string | null {
  const said = readEvent(event);
  if (said.about === 'unit')
    return isUnpricedCopy(event.ownership, said.unit) ? null : copyKey(said.unit);
  return said.about === 'move' && said.move.isIn && !said.move.isCopy
    ? copyKey(said.move.unit)
    : null;
}
