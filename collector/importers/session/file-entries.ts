/**
 * Turns the values of a file's lines into entries, in file order, named as in their events. Pure.
 *
 * An entry written without an id (format v1) is named by its content, and its children refer to
 * that name. So the file gives the same events before and after a host adds random ids.
 */
import { type Entry, readEntry, readUnnamedEntry } from '@pi-ledger/core/record/entry';

export interface FileEntries {
  read(value: unknown): Entry | null;
}

/** Beyond it, entries keep their parents' ids; old files are small. */
const renamedMax = 200_000;

/** `lastKey`: the previous entry's key when continuing a file. */
export function createFileEntries(lastKey: string | null): FileEntries {
  /** By random id. */
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

/** Removes the first kept entry: format v1 counts lines instead, which a copy does not preserve. */
function withoutFirstKept(body: Entry['body']): Entry['body'] {
  return 'firstKeptEntryId' in body ? { ...body, firstKeptEntryId: undefined } : body;
}
