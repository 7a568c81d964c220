/**
 * Merges neighbouring items until few enough are left. Ordinary answers and calls are merged first,
 * then retries, waits and failed calls, then prompts, subagents and failed answers. Compactions and
 * branch summaries always stay, even when they alone exceed the limit.
 *
 * Guarantee: every item is in exactly one of the groups, and the groups are in order.
 */
import type { Item } from './timeline-items.ts';

/** A group of one stays what it is. */
export function thinItems(
  items: readonly Item[],
  itemsMax: number,
): readonly (readonly [Item, ...Item[]])[] {
  if (items.length <= itemsMax) return items.map((item) => [item]);
  for (let level = 0; level < levels; level++) {
    const runs = runsOf(items, level);
    if (runs.length <= itemsMax || level === levels - 1) return cut(runs, itemsMax, level);
  }
  return [];
}

type Run = [Item, ...Item[]];

const levels = 3;

function levelOf({ kind, failed }: Item): number {
  switch (kind) {
    case 'compaction':
    case 'failedCompaction':
    case 'branchSummary':
      return levels;
    case 'prompt':
    case 'subagent':
      return 2;
    case 'turn':
      return failed ? 2 : 0;
    case 'retry':
    case 'wait':
      return 1;
    default:
      return failed ? 1 : 0;
  }
}

/** What this level merges, as long as nothing else stands between. */
function runsOf(items: readonly Item[], level: number): readonly Run[] {
  const runs: Run[] = [];
  let last: Run | null = null;
  for (const item of items) {
    const isMerged = levelOf(item) <= level;
    if (isMerged && last !== null) last.push(item);
    else {
      const run: Run = [item];
      runs.push(run);
      last = isMerged ? run : null;
    }
  }
  return runs;
}

/** What the limit leaves is shared out by length. */
function cut(runs: readonly Run[], itemsMax: number, level: number): readonly Run[] {
  const isMerged = ([first]: Run): boolean => levelOf(first) <= level;
  const merged = runs.filter(isMerged).reduce((sum, { length }) => sum + length, 0);
  const spare = Math.max(0, itemsMax - runs.length);
  return runs.flatMap((run) =>
    isMerged(run) ? inPieces(run, 1 + Math.floor((spare * run.length) / merged)) : [run],
  );
}

function inPieces(run: Run, pieces: number): Run[] {
  const count = Math.min(pieces, run.length);
  return Array.from({ length: count }, (_, piece) =>
    run.slice(
      Math.floor((piece * run.length) / count),
      Math.floor(((piece + 1) * run.length) / count),
    ),
  ).flatMap(([first, ...rest]) => (first === undefined ? [] : [[first, ...rest] satisfies Run]));
}
