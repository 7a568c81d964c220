/**
 * A read that ends early: it is full with the first item that makes all of them as long as
 * `charsMax`. So there is one, where the store has any.
 */

export interface BoundedList<Item> {
  readonly items: Item[];
  /** False: it is full now, the store is asked for no more. */
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
