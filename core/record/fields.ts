/**
 * Readers of untyped values, for session entries and host payloads.
 *
 * They never throw or guess: a value of the wrong kind is null (or empty). Texts are cut to the
 * contract's lengths, so that no odd value makes an event invalid.
 */

export type JsonObject = Readonly<Record<string, unknown>>;

const textCharsMax = 500;

export function asObject(value: unknown): JsonObject | null {
  return typeof value === 'object' && !Array.isArray(value) ? (value as JsonObject | null) : null;
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The string as it is; null for anything else. */
export function asString(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** A short name or identifier: null when empty, cut at 500 characters. */
export function asText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value.slice(0, textCharsMax) : null;
}

/** An entry's id if it is valid in an event, else null. */
export function asEntryId(value: unknown): string | null {
  return typeof value === 'string' && value.length >= 1 && value.length <= 100 ? value : null;
}

/**
 * A whole number from 0 to 2^53 - 1, rounded; null for anything that is no amount (negative, NaN,
 * infinite, not a number).
 */
export function asCount(value: unknown): number | null {
  return isAmount(value) ? Math.min(Math.round(value), Number.MAX_SAFE_INTEGER) : null;
}

export function asDurationMs(value: unknown): number | null {
  return isAmount(value) ? value : null;
}

/** An integer from -2^31 to 2^31 - 1: HTTP statuses, format versions. */
export function asInteger(value: unknown): number | null {
  return typeof value === 'number' && (value | 0) === value ? value | 0 : null;
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && Number.isFinite(value);
}
