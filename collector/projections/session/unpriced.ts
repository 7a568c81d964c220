/**
 * Records known from copies that lost their price (omp's `/tan` removes it), so that their ids do
 * not match the owner's. By provider, model, kind and cell, they count only what exceeds the
 * owner's own records there, whatever these cost and however they ended. Pure.
 *
 * Does not tell two records of one cell apart, so what is left counts under no thinking level and
 * no stop reason. Where an owner is only partly known, a copy may count too little, but never
 * twice.
 */
import { type Amount, beyond, difference } from '../amount.ts';
import { measureIndex, noRecordAmounts } from '../spend-amounts.ts';
import { boundReasoning, hasTokens } from './claim.ts';
import { type FamilyName, noVariant, type Variant } from './line-name.ts';

/** What the copies count under in their family. */
export const unpricedVariant: Variant = { ...noVariant, costSource: 'unpriced' };

export interface UnpricedCopies extends FamilyName {
  /** The minute of the cell. */
  readonly minute: number;
  /** The sum of the copies' records. */
  readonly said: Amount[];
  /** The counted part, included in the cell's amounts. */
  rest: readonly Amount[];
}

export function unpricedKey({ provider, model, kind }: FamilyName, minute: number): string {
  return JSON.stringify([provider, model, kind, minute]);
}

/** They have no price, so no parts of one. */
export function noCopies(): Pick<UnpricedCopies, 'said' | 'rest'> {
  return { said: [...noRecordAmounts], rest: noRecordAmounts };
}

const records = measureIndex('records');
const unpriced = measureIndex('unpricedRecords');

/** What is left beyond the owner's own records; `amounts` are the whole family's at the minute. */
export function restOfCopies(
  { said, rest }: UnpricedCopies,
  amounts: readonly Amount[],
): readonly Amount[] {
  const left = said.map((amount, index) =>
    beyond(amount, difference(amounts[index] ?? 0, rest[index] ?? 0)),
  );
  const leftRecords = left[records] ?? 0;
  if (leftRecords === 0 || !hasTokens(left)) return noRecordAmounts;
  left[unpriced] = leftRecords;
  boundReasoning(left);
  return left;
}
