/** Long lists are gone through in parts: others get the thread in between. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Mostly of some milliseconds together. */
const itemsPerTurn = 250;
/** The clock is looked at so often: a few items in a hundred may be the costly ones. */
const itemsPerLook = 10;
/** Others get the thread after this much work: who sends its input may make each piece costly. */
const turnMsMax = 10;

/** `items` may be made one by one: that is a part of the work. */
export async function inTurns<Item>(
  items: Iterable<Item>,
  visit: (item: Item) => void,
): Promise<void> {
  let turnedAtMs = performance.now();
  let count = 0;
  const isDue = () => count === itemsPerTurn || performance.now() - turnedAtMs > turnMsMax;
  for (const item of items) {
    if (count % itemsPerLook === 0 && isDue()) {
      await nextTurn();
      turnedAtMs = performance.now();
      count = 0;
    }
    count += 1;
    visit(item);
  }
}

/** Asked before each piece of work: null unless others have waited for long. */
export function turnsInTime(): () => Promise<void> | null {
  let turnedAtMs = performance.now();
  return () => {
    if (performance.now() - turnedAtMs <= turnMsMax) return null;
    return nextTurn().then(() => {
      turnedAtMs = performance.now();
    });
  };
}
