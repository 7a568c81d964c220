/**
 * A cache of values by key, each of one version. When they weigh more than `weightMax` together,
 * the least recently used are dropped.
 */
export interface LruCache<Value> {
  /** The value of this version; null when there is none. */
  get(key: string, version: string): Value | null;
  /** The value of any version. */
  peek(key: string): Value | null;
  /** Replaces any other version. A value that alone weighs too much is not kept. */
  set(key: string, version: string, value: Value, weight: number): void;
}

interface Kept<Value> {
  readonly version: string;
  readonly value: Value;
  readonly weight: number;
}

export function createLruCache<Value>(weightMax: number): LruCache<Value> {
  const kept = new Map<string, Kept<Value>>();
  let total = 0;

  function drop(key: string): void {
    total -= kept.get(key)?.weight ?? 0;
    kept.delete(key);
  }

  return {
    get(key, version) {
      const known = kept.get(key);
      if (known === undefined || known.version !== version) return null;
      kept.delete(key);
      kept.set(key, known);
      return known.value;
    },
    peek: (key) => kept.get(key)?.value ?? null,
    set(key, version, value, weight) {
      drop(key);
      if (weight > weightMax) return;
      kept.set(key, { version, value, weight });
      total += weight;
      for (const oldest of kept.keys()) {
        if (total <= weightMax) break;
        drop(oldest);
      }
    },
  };
}
