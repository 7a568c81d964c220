/**
 * The values of a file's lines as entries, in file order, each under the name that its events have.
 * Pure.
 *
 * An entry that had no id when it was written (format v1) is called by what it says, and so are the
 * entries that hang below it: whether the file was read before a host gave it random ids or after,
 * the same events come of it.
 */
import { type Entry, readEntry, readUnnamedEntry } from '@pi-ledger/extension/record/entry';

export interface FileEntries {
  /** Null for what is no entry. */
  read(value: unknown): Entry | null;
}

/** Beyond it entries keep the ids of their parents: old files are small. */
const renamedMax = 200_000;

/** `lastKey`: of the entry in front, where the file is gone on with. */
export function createFileEntries(lastKey: string | null): FileEntries {
  /** By the random id. */
  const renamed = new Map<string, string>();
  let last = lastKey;

  function named(entry: Entry): Entry {
    const { id, key, parentId } = entry;
    if (id !== key && renamed.size < renamedMax) renamed.set(id, key);
    const parentKey = parentId === null ? null : (renamed.get(parentId) ?? parentId);
    if (id === key && parentKey === parentId) return entry;
    return {
      ...entry,
      id: key,
      parentId: parentKey,
      body: id === key ? entry.body : withoutFirstKept(entry.body),
    };
  }

  return {
    read(value) {
      const entry = readEntry(value) ?? readUnnamedEntry(value, last);
      if (entry === null) return null;
      const found = named(entry);
      last = found.id;
      return found;
    },
  };
}

/** Format v1 counts lines instead, which nobody can tell from the copy. */
function withoutFirstKept(body: Entry['body']): Entry['body'] {
  return 'firstKeptEntryId' in body ? { ...body, firstKeptEntryId: undefined } : body;
}
