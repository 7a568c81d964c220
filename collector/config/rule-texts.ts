/** What the readers of rules share. */
import type { Complain } from '@pi-ledger/contract/settings/plain-readers';

const textCharsMax = 500;

/** Complains about a text that is not fit, and returns null. */
export function readText(
  value: unknown,
  key: string,
  isFit: (text: string) => boolean,
  expected: string,
  complain: Complain,
  charsMax = textCharsMax,
): string | null {
  if (typeof value === 'string' && value !== '' && value.length <= charsMax && isFit(value))
    return value;
  complain(key, value, `${expected}, 1 to ${charsMax} characters`);
  return null;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
