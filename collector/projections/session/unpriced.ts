/**
 * Records that are known from copies which lost their price (omp's `/tan` takes it out), so that
 * they cannot be told from the owner's by their ids. By provider, model, kind and cell they count
 * what they have beyond the records that the owner is known to have made there. Pure.
 *
 * Does not: tell two records of one cell apart. Where an owner is known in parts, a copy may count
 * less than it could, and never twice.
 */
import { type Amount, beyond, difference } from '../amount.ts';
import { recordMeasures } from '../usage.ts';
import { boundReasoning, hasTokens, zeroAmounts } from './claim.ts';

export interface UnpricedCopies {
  readonly provider: string;
  readonly model: string;
  readonly kind: string;
  /** Of the cell. */
  readonly minute: number;
  /** The sum of what the copies say. */
  readonly said: Amount[];
  /** What of it is counted; it stands in the cell's amounts. */
  rest: readonly Amount[];
}

export function unpricedKey(
  { provider, model, kind }: Pick<UnpricedCopies, 'provider' | 'model' | 'kind'>,
  minute: number,
): string {
  return JSON.stringify([provider, model, kind, minute]);
}

export function noCopies(): Pick<UnpricedCopies, 'said' | 'rest'> {
  return { said: zeroAmounts.slice(), rest: zeroAmounts };
}

const [records = 0, unpriced = 0] = (['records', 'unpricedRecords'] as const).map((name) =>
  recordMeasures.indexOf(name),
);

/** What is left beside the owner's own; `amounts` are all of the cell. */
export function restOfCopies(
  { said, rest }: UnpricedCopies,
  amounts: readonly Amount[],
): readonly Amount[] {
  const left = said.map((amount, index) =>
    beyond(amount, difference(amounts[index] ?? 0, rest[index] ?? 0)),
  );
  const leftRecords = left[records] ?? 0;
  if (leftRecords === 0 || !hasTokens(left)) return zeroAmounts;
  left[unpriced] = leftRecords;
  boundReasoning(left);
  return left;
}
