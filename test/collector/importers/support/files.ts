/** Session files on disk, from the sessions that test/extension/support/fake-session.ts builds. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type FakeSession, fileOf } from '../../../extension/support/fake-session.ts';

export function linesOfSession(session: FakeSession): readonly string[] {
  return [session.header, ...session.entries].map((value) => JSON.stringify(value));
}

/** Writes a file below `directory`, named as by the hosts. Returns its path. */
export function writeSession(
  directory: string,
  session: FakeSession,
  name: string = basename(fileOf(session)),
): string {
  return writeLines(join(directory, name), linesOfSession(session));
}

export function writeLines(path: string, lines: readonly string[], end = '\n'): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, lines.join('\n') + end);
  return path;
}
