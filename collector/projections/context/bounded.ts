/**
 * Sorted, bounded lists. Their contents depend on the set of items added, not on the order: beyond
 * `max` items, the first ones stay, by time and then by text.
 */
export interface DatedItem {
  readonly time: string;
}

/** The first item that was ever left out of a list. */
export interface Cut {
  readonly time: string;
  readonly text: string;
}

export interface KeptWithin {
  /** How many items this call left out. */
  readonly left: number;
  /** Pass it in with the next item; undefined while nothing was left out. */
  readonly cut: Cut | undefined;
}

/**
 * Like `keepSorted`, but also within `bytesMax` of JSON, measured by the bound `measureBytes`: the
 * first items stay, up to the first one without room. Everything behind that one is left out too,
 * however small: otherwise what stays would depend on what came first.
 */
export function keepSortedWithin<Item extends DatedItem>(
  items: Item[],
  item: Item,
  {
    max,
    bytesMax,
    textOf,
  }: { readonly max: number; readonly bytesMax: number; textOf(item: Item): string },
  cut?: Cut,
): KeptWithin {
  if (cut !== undefined && isBehind(item, cut, textOf)) return { left: 1, cut };
  let bytes = bytesIn(items) + measureBytes(item);
  let last: Item | undefined;
  let left = 0;
  items.splice(findInsertionIndex(items, item, textOf), 0, item);
  while (items.length > max || bytes > bytesMax) {
    last = items.pop() as Item;
    bytes -= measureBytes(last);
    left += 1;
  }
  known.set(items, bytes);
  return { left, cut: last === undefined ? cut : { time: last.time, text: textOf(last) } };
}

function isBehind<Item extends DatedItem>(
  item: Item,
  cut: Cut,
  textOf: (item: Item) => string,
): boolean {
  return item.time === cut.time ? textOf(item) > cut.text : item.time > cut.time;
}

function bytesIn(items: readonly DatedItem[]): number {
  return known.get(items) ?? items.reduce((sum, each) => sum + measureBytes(each), 0);
}

/**
 * The sizes of lists in memory: adding up thousands of items for each event would take longer than
 * folding it.
 */
const known = new WeakMap<readonly DatedItem[], number>();

/** A character takes at most six bytes, as `\\u0000`. Field names and numbers fit into the rest. */
function measureBytes(item: object): number {
  let chars = 0;
  for (const value of Object.values(item)) {
    if (typeof value === 'string') chars += value.length;
    else if (Array.isArray(value))
      for (const each of value) chars += typeof each === 'string' ? each.length + 1 : 3;
  }
  return itemBytes + chars * 6;
}

const itemBytes = 400;

/**
 * Returns how many items were left out: 0 or 1. `items` is changed in place; `textOf` must tell
 * different items apart.
 */
export function keepSorted<Item extends DatedItem>(
  items: Item[],
  item: Item,
  max: number,
  textOf: (item: Item) => string,
): number {
  items.splice(findInsertionIndex(items, item, textOf), 0, item);
  if (items.length <= max) return 0;
  items.pop();
  return 1;
}

/** Behind all items that do not sort after it. */
function findInsertionIndex<Item extends DatedItem>(
  items: readonly Item[],
  item: Item,
  textOf: (item: Item) => string,
): number {
  let [from, to] = [0, items.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (comesBefore(item, items[middle] as Item, textOf)) to = middle;
    else from = middle + 1;
  }
  return from;
}

/** Texts are compared only within one millisecond. */
function comesBefore<Item extends DatedItem>(
  left: Item,
  right: Item,
  textOf: (item: Item) => string,
): boolean {
  if (left.time !== right.time) return left.time < right.time;
  return textOf(left) < textOf(right);
}

/** Removes one such item, if there is one. */
export function removeSorted<Item extends DatedItem>(
  items: Item[],
  item: Item,
  textOf: (item: Item) => string,
): void {
  const text = textOf(item);
  const index = items.findIndex((each) => each.time === item.time && textOf(each) === text);
  if (index < 0) return;
  const bytes = known.get(items);
  if (bytes !== undefined) known.set(items, bytes - measureBytes(items[index] as Item));
  items.splice(index, 1);
}
