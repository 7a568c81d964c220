/** How often others had the thread while something was done. */
export async function turnsOfOthers(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let next = setImmediate(function count() {
    turns += 1;
    next = setImmediate(count);
  });
  await work();
  clearImmediate(next);
  return turns;
}
