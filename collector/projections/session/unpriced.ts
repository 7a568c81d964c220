/**
 * Records that are known from copies which lost their price (omp's `/tan` takes it out), so that they cannot be told from the owner's by their ids.
 * By provider, model, kind and cell they count what they have beyond the records that the owner is known to have made there. Pure.
 *
 * Does not: tell two records of one cell apart. Where an owner is known in parts, a copy may count less than it could, and never twice.
 */
import { type Amount, beyond, difference } from '../amount.ts';
import { recordMeasures } from '../usage.ts';

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

export function unpricedKey({ provider, model, kind }: Pick<UnpricedCopies, 'provider' | 'model' | 'kind'>, minute: number): string {
  return JSON.stringify([provider, model, kind, minute]);
}

export function noCopies(): Pick<UnpricedCopies, 'said' | 'rest'> {
  return { said: recordMeasures.map(() => 0), rest: recordMeasures.map(() => 0) };
}

const [records = 0, input = 0, output = 0, cacheRead = 0, cacheWrite = 0, reasoning = 0, unpriced = 0] = (
  ['records', 'inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens', 'reasoningTokens', 'unpricedRecords'] as const
).map((name) => recordMeasures.indexOf(name));

/** What is left beside the owner's own; `amounts` are all of the cell. */
export function restOfCopies({ said, rest }: UnpricedCopies, amounts: readonly Amount[]): readonly Amount[] {
  const left = said.map((amount, index) => beyond(amount, difference(amounts[index] ?? 0, rest[index] ?? 0)));
  const [leftRecords = 0, leftOutput = 0, leftReasoning = 0] = [left[records], left[output], left[reasoning]];
  const hasTokens = [input, output, cacheRead, cacheWrite].some((index) => left[index] !== 0);
  if (leftRecords === 0 || !hasTokens) return noCopies().rest;
  left[unpriced] = leftRecords;
  if (leftReasoning > leftOutput) left[reasoning] = leftOutput;
  return left;
}
