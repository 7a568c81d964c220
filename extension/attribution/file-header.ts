/** Reads the header of another session's file. Only asked where a path says that it is a parent. */
import { readBeginning } from '../../core/machine/regular-file.ts';
import { type Header, readHeader } from '../../core/record/entry.ts';

/** omp writes a title before the header. */
const headLinesMax = 5;
const headBytesMax = 64 * 1024;

/** Returns null for a file that is missing, unreadable or no session's. Contract: never throws. */
export function headerOfFile(path: string): Header | null {
  try {
    const text = readBeginning(path, { bytesMax: headBytesMax }).bytes.toString('utf8');
    for (const line of text.split('\n', headLinesMax)) {
      const header = readHeader(parsed(line));
      if (header !== null) return header;
    }
  } catch {
    // It is missing or unreadable: the path alone tells the parent.
  }
  return null;
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null; // a damaged line is no header
  }
}
