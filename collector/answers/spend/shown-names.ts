/**
 * Which names a list shows: what models, tools, agents, labels and branches are called is up to who
 * sends, so each user's are bounded.
 *
 * Guarantees:
 * - Of a user with more than `namesPerUserMax` names, those with the largest sums are shown, then
 *   the first by name. That depends on the set of what the user sent, neither on its order nor on
 *   anybody else.
 * - A name is hidden only if none of its users shows it. What is hidden counts as `(other)`, so
 *   totals stay exact.
 */

import { inTurns } from '../../timers/in-turns.ts';
import type { SumRow } from '../../views/views.ts';

const namesPerUserMax = 1_000;
export const otherNames = '(other)';

export interface NamesAsked {
  readonly nameOf: (dimensions: SumRow['dimensions']) => string;
  /** Sums by name and user; only asked for where there are many names. */
  readonly byUser: () => Promise<readonly SumRow[]>;
  /** The measures that say which of two names is larger, the first one first. */
  readonly largest: readonly string[];
}

/** The hidden ones among these. */
export async function hiddenNames(
  names: ReadonlySet<string>,
  { nameOf, byUser, largest }: NamesAsked,
): Promise<ReadonlySet<string>> {
  if (names.size <= namesPerUserMax) return new Set();
  const users = new Map<string, Map<string, bigint[]>>();
  await inTurns(await byUser(), ({ dimensions, measures }) => {
    const { user = '' } = dimensions;
    const own = users.get(user) ?? new Map<string, bigint[]>();
    users.set(user, own);
    const name = nameOf(dimensions);
    const known = own.get(name) ?? [];
    own.set(
      name,
      largest.map((measure, at) => (known[at] ?? 0n) + (measures[measure] ?? 0n)),
    );
  });
  const hidden = new Set(names);
  for (const own of users.values()) for (const name of shownOf(own)) hidden.delete(name);
  return hidden;
}

/** Picks those of one user's names that are shown. */
function shownOf(names: ReadonlyMap<string, readonly bigint[]>): Iterable<string> {
  if (names.size <= namesPerUserMax) return names.keys();
  return [...names]
    .toSorted(([one, sums], [other, otherSums]) => {
      const at = sums.findIndex((sum, index) => sum !== otherSums[index]);
      if (at < 0) return one < other ? -1 : 1;
      return (sums[at] ?? 0n) > (otherSums[at] ?? 0n) ? -1 : 1;
    })
    .slice(0, namesPerUserMax)
    .map(([name]) => name);
}

/** For an answer: how many names its `(other)` stands for. */
export function hiddenIn(count: number): { readonly hiddenNames?: number } {
  return count === 0 ? {} : { hiddenNames: count };
}
