/**
 * Records known from copies that lost their price (omp's `/tan` removes it), so that their ids do
 * not match the owner's. By provider, model, kind and cell, they count only what exceeds the
 * owner's own records there. Pure.
 *
 * Does not tell two records of one cell apart. Where an owner is only partly known, a copy may
 * count too little, but never twice.
 */
import { type Amount, beyond, difference } from '../amount.ts';
import { recordMeasures } from '../usage.ts';
import { boundReasoning, hasTokens, zeroAmounts } from './claim.ts';

export interface UnpricedCopies {
  readonly provider: string;
  readonly model: string;
  readonly kind: string;
  /** The minute of the cell. */
  readonly minute: number;
  /** The sum of the copies' records. */
  readonly said: Amount[];
  /** The counted part, included in the cell's amounts. */
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

/** What is left beyond the owner's own records; `amounts` are the whole cell's. */
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
