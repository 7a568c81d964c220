/**
 * Remembers which file was the first to hold a unit: a map of 64-bit identities to numbers in typed
 * arrays (20 to 40 bytes per unit), because it must know all units at once. Two different units
 * share 64 bits about once in 200 runs over a hundred million units.
 */

export interface SeenUnits {
  /** Returns null when the identity is new, else the index it was first added with. */
  add(identity: string, index: number): number | null;
  find(identity: string): number | null;
  readonly size: number;
}

const slotsFirst = 1 << 12;
const unitsMax = 1 << 29;
const loadMax = 0.6;

/**
 * Contract: `identity` begins with 16 hex digits of a good hash; `index` is below 2^32 - 1. Throws
 * on more than 2^29 units.
 */
export function createSeenUnits(): SeenUnits {
  let table = createTable(slotsFirst);
  let size = 0;

  function grow(): void {
    const old = table;
    table = createTable(old.slots * 2);
    for (let slot = 0; slot < old.slots; slot++) {
      const index = old.index[slot] ?? 0;
      if (index !== 0) insert(table, old.high[slot] ?? 0, old.low[slot] ?? 0, index);
    }
  }

  return {
    add(identity, index) {
      if (size >= unitsMax)
        throw new Error(
          `There are more than ${unitsMax} records: compare fewer directories at once.`,
        );
      if (size >= table.slots * loadMax) grow();
      const kept = insert(table, highHalf(identity), lowHalf(identity), index + 1);
      if (kept === 0) size += 1;
      return kept === 0 ? null : kept - 1;
    },
    find(identity) {
      const slot = findSlot(table, highHalf(identity), lowHalf(identity));
      const index = table.index[slot] ?? 0;
      return index === 0 ? null : index - 1;
    },
    get size() {
      return size;
    },
  };
}

interface Table {
  readonly slots: number;
  readonly high: Uint32Array;
  readonly low: Uint32Array;
  /** From 1; 0 is an empty slot. */
  readonly index: Uint32Array;
}

function createTable(slots: number): Table {
  return {
    slots,
    high: new Uint32Array(slots),
    low: new Uint32Array(slots),
    index: new Uint32Array(slots),
  };
}

/** The slot's previous content; 0 when it was empty and now holds `index`. */
function insert(table: Table, high: number, low: number, index: number): number {
  const slot = findSlot(table, high, low);
  const kept = table.index[slot] ?? 0;
  if (kept !== 0) return kept;
  table.high[slot] = high;
  table.low[slot] = low;
  table.index[slot] = index;
  return 0;
}

/** The slot of the identity, or the empty slot where it belongs. */
function findSlot(
  { slots, high: highs, low: lows, index }: Table,
  high: number,
  low: number,
): number {
  let slot = low & (slots - 1);
  while (index[slot] !== 0 && (highs[slot] !== high || lows[slot] !== low))
    slot = (slot + 1) & (slots - 1);
  return slot;
}

function highHalf(identity: string): number {
  return Number.parseInt(identity.slice(0, 8), 16);
}

function lowHalf(identity: string): number {
  return Number.parseInt(identity.slice(8, 16), 16);
}
