/**
 * Caches the sorted order of an object's keys: a host writes the same few objects repeatedly.
 *
 * Guarantees: the result depends on the keys alone, whatever was asked before. At most `shapesMax`
 * lists of keys are cached, none of them long.
 */
export interface KeyOrder {
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
