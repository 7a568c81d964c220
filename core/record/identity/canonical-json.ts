/**
 * Caches the sorted order of an object's keys: a host writes the same few objects repeatedly.
 *
 * Guarantees: the result depends on the keys alone, whatever was asked before. At most `shapesMax`
 * lists of keys are cached, none of them long.
 */
interface KeyOrder {
  /** By UTF-16 code units. */
  readonly sorted: readonly string[];
  /** What `write` returns for each of them. */
  readonly written: readonly string[];
}

interface Shape extends KeyOrder {
  /** In the object's order. */
  readonly keys: readonly string[];
}

const shapesMax = 16;
const keysMax = 32;
const keyCharsMax = 64;

/** `write` must be pure. */
export function createKeyOrder(
  write: (key: string) => string,
): (keys: readonly string[]) => KeyOrder {
  const shapes: Shape[] = [];
  let oldest = 0;
  return (keys) => {
    for (const shape of shapes) if (isSame(shape.keys, keys)) return shape;
    const sorted = keys.toSorted();
    const shape = { keys, sorted, written: sorted.map(write) };
    if (keys.length > keysMax || keys.some((key) => key.length > keyCharsMax)) return shape;
    shapes[oldest] = shape;
    oldest = (oldest + 1) % shapesMax;
    return shape;
  };
}

function isSame(these: readonly string[], those: readonly string[]): boolean {
  if (these.length !== those.length) return false;
  for (let index = 0; index < these.length; index += 1)
    if (these[index] !== those[index]) return false;
  return true;
}
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
