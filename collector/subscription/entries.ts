/** The documents that a fold has in memory. At most so many characters stay between commits. */

export interface Entry {
  readonly key: string;
  state: unknown;
  chars: number;
  isDirty: boolean;
}

/** The memory of an entry beside its text. */
const entryChars = 500;

export function createEntries(charsMax: number) {
  /** The least recently committed first. */
  let entries = new Map<string, Entry>();
  let chars = 0;
  let areAll = false;

  function dropOldest(): void {
    for (const [key, entry] of entries) {
      if (chars <= charsMax) return;
      entries.delete(key);
      chars -= entry.chars;
      entry.chars = 0;
      areAll = false;
    }
  }

  return {
    /** Whether the view has no others, so that an unknown key need not be looked up. */
    areAll: () => areAll,
    get: (key: string) => entries.get(key),
    /** Also one that was dropped and has changed since. */
    add(entry: Entry): void {
      entries.set(entry.key, entry);
    },
    /** After a commit of these, with their texts. */
    settle(committed: readonly Entry[], texts: readonly { readonly body: string }[]): void {
      for (const [index, entry] of committed.entries()) {
        const size = (texts[index]?.body.length ?? 0) + entryChars;
        chars += size - entry.chars;
        entry.chars = size;
        entry.isDirty = false;
        entries.delete(entry.key);
        entries.set(entry.key, entry);
      }
      dropOldest();
    },
    /** `isEmpty`: the view has no documents. */
    clear(isEmpty: boolean): void {
      entries = new Map();
      chars = 0;
      areAll = isEmpty;
    },
  };
}
