/** The header and the entries of a session file, without what cannot be read of it. */
import { closeSync, openSync } from 'node:fs';
import { type Entry, type Header, readHeader } from '@pi-ledger/core/record/entry';
import { createFileEntries } from '../file-entries.ts';
import { headerByName } from '../file-header.ts';
import { parseContent } from '../line-content.ts';
import { linesOf, readChunks } from '../session-file.ts';

export interface HeadedEntry {
  readonly header: Header;
  readonly entry: Entry;
}

/** Contract: never throws for what a file holds, or for one that cannot be read. */
export function* entriesInFile(path: string): Generator<HeadedEntry> {
  let descriptor: number;
  try {
    descriptor = openSync(path, 'r');
  } catch {
    return;
  }
  try {
    const entries = createFileEntries(null);
    let header: Header | null = null;
    for (const line of linesOf(readChunks(descriptor))) {
      const { content } = parseContent(line);
      if (content === null || 'damaged' in content) continue;
      header ??= readHeader(content.value);
      const entry = entries.read(content.value);
      if (entry === null) continue;
      header ??= headerByName(path);
      if (header === null) return;
      yield { header, entry };
    }
  } finally {
    closeSync(descriptor);
  }
}
