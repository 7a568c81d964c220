/**
 * Bounds the lines of a session, so that its document stays small: beyond `familiesMax`
 * combinations of provider, model and kind, and beyond `variantsMax` lines in one of them, the
 * alphabetically last are merged into one, `(other)`. Which ones depends on the set of lines: a
 * merged one would be the last again. Pure.
 */
import type { Family, Spending, SpendLine } from './cells.ts';
import {
  compareFamilies,
  compareVariants,
  type FamilyName,
  familyKey,
  type Variant,
  variantKey,
} from './line-name.ts';

const familiesMax = 150;
/** An ordinary session has a handful: a few thinking levels, each with a few stop reasons. */
const variantsMax = 24;
const other = '(other)';

export const otherFamily: FamilyName = { provider: other, model: other, kind: other };
export const otherVariant: Variant = { thinking: other, costSource: other, stopReason: other };
const otherFamilyKey = familyKey(otherFamily);
const otherVariantKey = variantKey(otherVariant);

/** The family to merge; null while there is room. */
export function familyBeyond({ families }: Spending): Family | null {
  return lastBeyond(families, familiesMax, otherFamilyKey, compareFamilies);
}

/** The line to merge; null while there is room. */
export function lineBeyond({ lines }: Family): SpendLine | null {
  return lastBeyond(lines, variantsMax, otherVariantKey, compareVariants);
}

function lastBeyond<Item>(
  items: ReadonlyMap<string, Item>,
  max: number,
  otherKey: string,
  compare: (left: Item, right: Item) => number,
): Item | null {
  if (items.size <= max || (items.size === max + 1 && items.has(otherKey))) return null;
  const named = [...items].flatMap(([key, item]) => (key === otherKey ? [] : [item]));
  return named.toSorted(compare).at(-1) ?? null;
}
