/** The lines of a session file that the user kept private, and whether it has any. */
import { closeSync, openSync, readSync } from 'node:fs';
import { parseLine } from './file-head.ts';
import { isNoEntry } from './file-header.ts';
import { linesIn } from './lines.ts';
import { createPrivateLines } from './private-lines.ts';
import type { Json } from './usage-figures.ts';

export interface ReadLine {
  readonly line: Json;
  /** `open` for our own entry that begins a private stretch. */
  readonly taken: 'resumed' | 'private' | 'open';
  readonly isPaused: boolean;
}

/** Without what cannot be read: the units of the file say that. */
export function* linesWithPrivacy(path: string): Generator<ReadLine> {
  const descriptor = opened(path);
  if (descriptor === null) return;
  try {
    const privacy = createPrivateLines();
    for (const { text } of linesIn(descriptor)) {
      const line = text === null ? null : parseLine(text);
      if (line == null || isNoEntry(line)) continue;
      const taken = privacy.take(line);
      yield { line, taken, isPaused: privacy.isPaused };
    }
  } finally {
    closeSync(descriptor);
  }
}

const blockBytes = 1024 * 1024;
const name = Buffer.from('pi-ledger.recording');

/** Looks for the name of our entries in the bytes, because few files have it. */
export function mayHavePrivateLines(path: string): boolean {
  const descriptor = opened(path);
  if (descriptor === null) return false;
  try {
    const block = Buffer.alloc(name.length + blockBytes);
    for (let at = 0; ; at += blockBytes) {
      // Blocks overlap by the length of the name.
      const bytes = readSync(descriptor, block, 0, block.length, at);
      if (block.subarray(0, bytes).includes(name)) return true;
      if (bytes < block.length) return false;
    }
  } catch {
    return false;
  } finally {
    closeSync(descriptor);
  }
}

function opened(path: string): number | null {
  try {
    return openSync(path, 'r');
  } catch {
    return null;
  }
}
