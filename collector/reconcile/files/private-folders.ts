/** Private sessions in whose folders a file lies. Shares no code with the importers. */
import { dirname } from 'node:path';
import { sessionIdInTimedName } from './file-header.ts';
import { type Hiding, isDuring } from './hidden-subagents.ts';
import { namedId } from './private-forks.ts';
import type { SessionFile } from './session-files.ts';

type AllHiding = ReadonlyMap<SessionFile, readonly Hiding[]>;

interface Holder {
  readonly file: SessionFile;
  /** A fork of the session, whose own file is gone: it tells only of what it has copied. */
  readonly isFork: boolean;
}

/** Whoever moved it moved that session's folder, too, or it has never been elsewhere. */
export function isBelowSession(path: string): boolean {
  const at = dirname(path);
  return at !== path && (sessionIdInTimedName(`${at}.jsonl`) !== null || isBelowSession(at));
}

/** Empty if the nearest session above has nothing private. */
export function holdersAbove(
  path: string,
  byPath: ReadonlyMap<string, SessionFile>,
  hiding: AllHiding,
): readonly Holder[] {
  for (let at = dirname(path); at !== dirname(at); at = dirname(at)) {
    const file = byPath.get(`${at}.jsonl`);
    if (file !== undefined) return hiding.has(file) ? [{ file, isFork: false }] : [];
    const id = sessionIdInTimedName(`${at}.jsonl`);
    if (id !== null) return ofSession(id, [...hiding.keys()]);
  }
  return [];
}

function ofSession(id: string, files: readonly SessionFile[]): readonly Holder[] {
  const own = files.find(({ header }) => header.sessionId === id);
  if (own !== undefined) return [{ file: own, isFork: false }];
  return files
    .filter(({ header }) => namedId(header.parentSession ?? '') === id)
    .map((file) => ({ file, isFork: true }));
}

/** `timeMs`: when the session below began. */
export function isBelow({ file, isFork }: Holder, timeMs: number, hiding: AllHiding): boolean {
  const parts = hiding.get(file) ?? [];
  const isInStretch = parts.some((told) => isDuring(told, timeMs));
  return isInStretch && !(isFork && timeMs >= file.header.timeMs);
}
