/** Reads git's text files, which somebody untrusted may have put there: bounded, never waiting. */
import { readBeginning, withRegularFile } from '../machine/regular-file.ts';

/** A file that holds one path, name or commit. */
export const lineBytesMax = 8 * 1024;

/** Complete lines from the beginning of the file; null when it cannot be read. */
export function readText(path: string, bytesMax: number): string | null {
  try {
    const { bytes, isWhole } = readBeginning(path, { bytesMax });
    const text = bytes.toString('utf8');
    return isWhole ? text : text.slice(0, text.lastIndexOf('\n') + 1);
  } catch {
    return null; // missing, not readable, or not a regular file
  }
}

/**
 * The commit of a ref in `packed-refs`; null if it is not in there, undefined if that cannot be
 * told. The file may have many megabytes: one that is sorted, as git writes it, takes a few small
 * reads. Throws like `open`.
 */
export function packedCommit(path: string, ref: string): string | null | undefined {
  return withRegularFile(path, (read, size) => {
    const beginning = read(0, partBytesMax).toString('latin1');
    const name = Buffer.from(ref, 'utf8').toString('latin1');
    if (size <= partBytesMax) return commitIn(beginning, name);
    if (!/^# pack-refs with:.* sorted /.test(beginning))
      return commitIn(beginning, name) ?? undefined;
    let [from, to] = [0, size];
    while (to - from > partBytesMax) {
      const middle = (from + to) >> 1;
      const first = refLine.exec(read(middle, lineBytesMax).toString('latin1'));
      if (first === null) return undefined;
      if ((first[2] ?? '') <= name) from = middle + first.index;
      else to = middle;
    }
    return commitIn(read(from, to - from + lineBytesMax).toString('latin1'), name);
  });
}

const partBytesMax = 64 * 1024;
const refLine = /\n([0-9a-f]{40,64}) ([^\n]+)(?=\n)/;

function commitIn(lines: string, name: string): string | null {
  const at = `\n${lines}`.indexOf(` ${name}\n`);
  const commit = at < 0 ? null : lines.slice(lines.lastIndexOf('\n', at - 1) + 1, at - 1);
  return commit !== null && isCommit(commit) ? commit : null;
}

export function isCommit(text: string): boolean {
  return /^[0-9a-f]{40}([0-9a-f]{24})?$/.test(text);
}
