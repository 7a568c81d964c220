/**
 * A list for reads that end early: it is full with the first item whose text brings the total to
 * `charsMax`. So it contains at least one item, if the store has any.
 */

export interface BoundedList<Item> {
  readonly items: Item[];
  /** False: the list is full, and the read ends. */
  add(item: Item): boolean;
}

export function createBoundedList<Item>(
  charsOf: (item: Item) => number,
  charsMax: number,
): BoundedList<Item> {
  const items: Item[] = [];
  let chars = 0;
  return {
    items,
    add(item) {
      items.push(item);
      chars += charsOf(item);
      return chars < charsMax;
    },
  };
}
