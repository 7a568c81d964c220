/**
 * Names of files that differ only in Unicode form or case, as file systems and sync programs change
 * them. Shares no code with the importers. Pure.
 */

export interface Spellings {
  /** The names that this one may mean: itself if it is there, else those spelled otherwise. */
  meantBy(name: string): readonly string[];
}

export function createSpellings(names: Iterable<string>): Spellings {
  const exact = new Set(names);
  const others = Map.groupBy(exact, spellingOf);
  return {
    meantBy: (name) => (exact.has(name) ? [name] : (others.get(spellingOf(name)) ?? [])),
  };
}

export function spellingOf(name: string): string {
  return name.normalize('NFC').toLowerCase();
}
