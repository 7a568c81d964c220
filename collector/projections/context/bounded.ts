/**
 * Lists that are kept sorted and bounded, so that what they hold is a function of the set of items that came, not of their order: of more than
 * `max` items the first ones stay, by time and then by their text.
 */
export interface Dated {
  readonly time: string;
}

/** Answers how many were left out: 0 or 1. `items` is changed in place; `textOf` must tell different items apart. */
export function keepSorted<Item extends Dated>(items: Item[], item: Item, max: number, textOf: (item: Item) => string): number {
  let index = items.length;
  while (index > 0 && comesBefore(item, items[index - 1] as Item, textOf)) index -= 1;
  if (index >= max) return 1;
  items.splice(index, 0, item);
  if (items.length <= max) return 0;
  items.pop();
  return 1;
}

/** Items of one millisecond are few; their texts are only made for these. */
function comesBefore<Item extends Dated>(left: Item, right: Item, textOf: (item: Item) => string): boolean {
  if (left.time !== right.time) return left.time < right.time;
  return textOf(left) < textOf(right);
}
