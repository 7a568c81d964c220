/**
 * Lists that are kept sorted and bounded, so that what they hold is a function of the set of items
 * that came, not of their order: of more than `max` items the first ones stay, by time and then by
 * their text.
 */
export interface Dated {
  readonly time: string;
}

/**
 * As `keepSorted`, and within `bytesMax` of JSON, of which `bytesOf` says an upper bound: of more,
 * the first ones stay. Answers how many were left out.
 */
export function keepSortedWithin<Item extends Dated>(
  items: Item[],
  item: Item,
  {
    max,
    bytesMax,
    textOf,
  }: { readonly max: number; readonly bytesMax: number; textOf(item: Item): string },
): number {
  let bytes = known.get(items) ?? items.reduce((sum, each) => sum + bytesOf(each), 0);
  const before = items.length;
  const last = items.at(-1);
  if (keepSorted(items, item, max, textOf) === 1) {
    if (items.at(-1) !== last && last !== undefined) bytes += bytesOf(item) - bytesOf(last);
  } else bytes += bytesOf(item);
  while (bytes > bytesMax) bytes -= bytesOf(items.pop() as Item);
  known.set(items, bytes);
  return before + 1 - items.length;
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
  const index = placeOf(items, item, textOf);
  if (index >= max) return 1;
  items.splice(index, 0, item);
  if (items.length <= max) return 0;
  items.pop();
  return 1;
}

/** Behind all that do not come after it. */
function placeOf<Item extends Dated>(
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
  if (index >= 0) items.splice(index, 1);
}
