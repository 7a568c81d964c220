/** Whether a table would have rows of zeros alone. */
import type { ModelFigures, UsageFigures } from '@pi-ledger/contract/answers';

type Errors = Pick<
  ModelFigures,
  'failedAnswers' | 'abortedAnswers' | 'cutOffAnswers' | 'retries' | 'retriesGivenUp'
>;

/** Whether nothing that the table of errors counts has happened. */
export function isWithoutErrors(total: Errors): boolean {
  const { failedAnswers, abortedAnswers, cutOffAnswers, retries, retriesGivenUp } = total;
  return ![failedAnswers, abortedAnswers, cutOffAnswers, retries, retriesGivenUp].some(
    (count) => (count ?? 0) > 0,
  );
}

/** Whether no token was read from a cache, nor written to one. */
export function isWithoutCache({ cacheReadTokens, cacheWriteTokens }: UsageFigures): boolean {
  return BigInt(cacheReadTokens) === 0n && BigInt(cacheWriteTokens) === 0n;
}
