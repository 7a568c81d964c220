/** Long lists are gone through in parts: others get the thread in between. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Some milliseconds. */
const itemsPerTurn = 250;

export async function inTurns<Item>(
  items: Iterable<Item>,
  visit: (item: Item) => void,
): Promise<void> {
  let left = itemsPerTurn;
  for (const item of items) {
    if (left === 0) await nextTurn();
    left = left === 0 ? itemsPerTurn - 1 : left - 1;
    visit(item);
  }
}

/** Of work before others get the thread: who sends its input may make each piece costly. */
const turnMsMax = 10;

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
