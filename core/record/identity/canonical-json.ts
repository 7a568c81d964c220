/**
 * JSON with keys sorted at every level, by UTF-16 code units: equal values give equal text,
 * whatever their key order.
 *
 * Follows `JSON.stringify` (undefined members vanish, NaN becomes null), so that an object in the
 * host's memory and the same object read from its session file give the same text.
 */
import { createKeyOrder } from './key-order.ts';

/** Far more than any host writes, and far less than the stack holds, cold or compiled. */
const levelsMax = 256;

/** Throws a RangeError for a value of more than 256 levels: the same whatever the stack holds. */
export function canonicalJson(value: unknown): string {
  return jsonAt(1, value);
}

function jsonAt(level: number, value: unknown): string {
  if (typeof value !== 'object' || value === null) return scalarJson(value);
  if (level > levelsMax) throw new RangeError(`more than ${levelsMax} levels`);
  return Array.isArray(value)
    ? `[${value.map((item) => jsonAt(level + 1, item)).join(',')}]`
    : objectJson(level, value as Record<string, unknown>);
}

/** Writes text that needs no escaping directly, because every id is built from it. */
export function textJson(text: string): string {
  return plain.test(text) ? `"${text}"` : JSON.stringify(text);
}

const plain = /^[\w .:-]*$/;

const orderOf = createKeyOrder((key) => `${textJson(key)}:`);

function objectJson(level: number, value: Readonly<Record<string, unknown>>): string {
  const { sorted, written } = orderOf(Object.keys(value));
  let text = '';
  for (let index = 0; index < sorted.length; index += 1) {
    const member = value[sorted[index] as string];
    if (!hasJson(member)) continue;
    text += `${text === '' ? '' : ','}${written[index]}${jsonAt(level + 1, member)}`;
  }
  return `{${text}}`;
}

function scalarJson(value: unknown): string {
  if (typeof value === 'string') return textJson(value);
  // Engines cache the text of numbers; fractions rarely repeat, and the serializer does not fill
  // that cache.
  if (Number.isInteger(value)) return String(value);
  return JSON.stringify(value) ?? 'null';
}

function hasJson(value: unknown): boolean {
  return value !== undefined && typeof value !== 'function' && typeof value !== 'symbol';
}
