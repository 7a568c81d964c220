/** `--limit` of the commands that list rows. */
import { UsageError } from './command.ts';

/** As many as the API returns at once. */
export const rowLimitMax = 1_000;

/** Throws a UsageError if the text is not such a number. */
export function expectRowLimit(text: string): number {
  const limit = Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit <= rowLimitMax) return limit;
  throw new UsageError(`--limit: expected a whole number from 1 to ${rowLimitMax}, got "${text}"`);
}
