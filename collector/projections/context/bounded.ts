/**
 * Lists that are kept sorted and bounded, so that what they hold is a function of the set of items
 * that came, not of their order: of more than `max` items the first ones stay, by time and then by
 * their text.
 */
export interface Dated {
  readonly time: string;
}

/** The first item that was ever left out of a list. */
export interface Cut {
  readonly time: string;
  readonly text: string;
}

export interface KeptWithin {
  /** How many were left out, this time. */
  readonly left: number;
  /** To be given again with the next item; undefined while all are kept. */
  readonly cut: Cut | undefined;
}

/**
 * As `keepSorted`, and within `bytesMax` of JSON, of which `bytesOf` says an upper bound: the first
 * ones stay, up to the first one for which there is no room. What comes behind that one is left out
 * too, however small it is: else what stays would depend on what came first.
 */
export function keepSortedWithin<Item extends Dated>(
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
  let bytes = bytesIn(items) + bytesOf(item);
  let last: Item | undefined;
  let left = 0;
  items.splice(placeOf(items, item, textOf), 0, item);
  while (items.length > max || bytes > bytesMax) {
    last = items.pop() as Item;
    bytes -= bytesOf(last);
    left += 1;
  }
  known.set(items, bytes);
  return { left, cut: last === undefined ? cut : { time: last.time, text: textOf(last) } };
}

function isBehind<Item extends Dated>(
  item: Item,
  cut: Cut,
  textOf: (item: Item) => string,
): boolean {
  return item.time === cut.time ? textOf(item) > cut.text : item.time > cut.time;
}

function bytesIn(items: readonly Dated[]): number {
  return known.get(items) ?? items.reduce((sum, each) => sum + bytesOf(each), 0);
}

/** Of lists in memory: to add up thousands for each event would take longer than to fold it. */
const known = new WeakMap<readonly Dated[], number>();

/**
 * A character takes six bytes at most, as `\\u0000`; names of fields and numbers have room in the
 * rest.
 */
function bytesOf(item: object): number {
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
 * Answers how many were left out: 0 or 1. `items` is changed in place; `textOf` must tell different
 * items apart.
 */
export function keepSorted<Item extends Dated>(
  items: Item[],
  item: Item,
  max: number,
  textOf: (item: Item) => string,
): number {
  const index = insertionIndexOf(items, item, textOf);
  if (index >= max) return 1;
  items.splice(index, 0, item);
  if (items.length <= max) return 0;
  items.pop();
  return 1;
}

/** Behind all that do not come after it. */
function insertionIndexOf<Item extends Dated>(
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

/** Texts are only made for items of one millisecond. */
function comesBefore<Item extends Dated>(
  left: Item,
  right: Item,
  textOf: (item: Item) => string,
): boolean {
  if (left.time !== right.time) return left.time < right.time;
  return textOf(left) < textOf(right);
}

/** Takes one such item out, if it is there. */
export function removeSorted<Item extends Dated>(
  items: Item[],
  item: Item,
  textOf: (item: Item) => string,
): void {
  const text = textOf(item);
  const index = items.findIndex((each) => each.time === item.time && textOf(each) === text);
  if (index < 0) return;
  const bytes = known.get(items);
  if (bytes !== undefined) known.set(items, bytes - bytesOf(items[index] as Item));
  items.splice(index, 1);
}
