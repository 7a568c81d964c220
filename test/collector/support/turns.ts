/** How often others had the thread while something was done. */
export async function turnsOfOthers(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  await withOthers(work, () => {
    turns += 1;
  });
  return turns;
}

/** By how much what is counted rose at most before others had the thread again. */
export async function mostInATurn(
  work: () => Promise<unknown>,
  count: () => number,
): Promise<number> {
  let [last, most] = [count(), 0];
  const look = () => {
    most = Math.max(most, count() - last);
    last = count();
  };
  await withOthers(work, look);
  look();
  return most;
}

async function withOthers(work: () => Promise<unknown>, turn: () => void): Promise<void> {
  let next = setImmediate(function take() {
    turn();
    next = setImmediate(take);
  });
  await work();
  clearImmediate(next);
}

/** Keeps the thread. */
export function keepThread(ms: number): void {
  for (const begun = performance.now(); performance.now() - begun < ms; );
}
