/** Segments of a producer process that has ended and whose pid is free. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodeOwner, readOwner } from '../../../core/spool/owner.ts';

const freePid = 2 ** 22 + 17;

/** `lines` as in the file; each ends with a line feed unless `torn` is set. */
export function leaveSegment(
  spoolDirectory: string,
  counter: number,
  lines: readonly string[],
  torn = '',
): string {
  const directory = join(
    spoolDirectory,
    encodeOwner({ ...readOwner(), pid: freePid, startTime: '1' }),
  );
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const path = join(directory, `${String(counter).padStart(8, '0')}.ndjson`);
  writeFileSync(path, lines.map((line) => `${line}\n`).join('') + torn, { mode: 0o600 });
  return path;
}
