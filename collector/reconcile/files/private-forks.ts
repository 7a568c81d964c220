/**
 * Sessions whose own files are gone and of which forks hold copies: they may have been subagents of
 * a private stretch. Shares no code with the importers.
 */
import { timeInId } from '../id-time.ts';
import { parseTime } from './entry-fields.ts';
import { readTail, sessionIdInTimedName } from './file-header.ts';
import { linesWithPrivacy } from './private-lines-of.ts';
import { headerByName, type SessionFile } from './session-files.ts';
import type { Json } from './usage-figures.ts';

/** A session that may be a subagent of a private stretch. */
export interface Suspect {
  /** Its own file, or that of a fork of it. */
  readonly file: SessionFile;
  /** What the fork holds of it; null for its own file. */
  readonly copies: (() => readonly Json[]) | null;
  readonly path: string;
  readonly sessionId: string;
  /** When it began. */
  readonly timeMs: number;
  /** Else it is the time of its first entry that is left. */
  readonly isTimeTold: boolean;
  /** Whether a sum that the other one says may be of this one. */
  isTiedTo(other: SessionFile): boolean;
  /** Whether its header names another session. */
  readonly isChild: boolean;
  /** Its own entries. */
  lines(): Iterable<Json>;
}

export function forksOfGone(files: readonly SessionFile[]): readonly Suspect[] {
  const ids = new Set(files.map(({ header }) => header.sessionId));
  const tails = new Set(files.map(({ path }) => readTail(path)));
  return files.flatMap((file) => {
    const named = file.header.parentSession;
    if (named === null) return [];
    const id = namedId(named);
    const isThere = id === null ? tails.has(readTail(named)) : ids.has(id);
    const fork = isThere ? null : findFork(file, named, id);
    return fork === null ? [] : [fork];
  });
}

/** Headers name a session by its file or, in omp's forks, by its id. */
export function namedId(named: string): string | null {
  return sessionIdInTimedName(named) ?? (/[/\\]|\.jsonl$/i.test(named) ? null : named);
}

/** Returns null without a copy. */
function findFork(file: SessionFile, named: string, id: string | null): Suspect | null {
  const beganMs = headerByName(named)?.timeMs ?? timeOfUuid(id);
  const copies = () =>
    [...linesWithPrivacy(file.path)].map(({ line }) => line).filter(isCopy(file, beganMs ?? 0));
  const timeMs = beganMs ?? parseTime(copies()[0]?.timestamp);
  if (timeMs === null) return null;
  return {
    file,
    path: named,
    sessionId: id ?? '',
    timeMs,
    isTimeTold: beganMs !== null,
    copies,
    // The header that would say whose it was is gone.
    isTiedTo: () => true,
    isChild: false,
    lines: copies,
  };
}

/** Returns null for ids that hosts did not make. */
function timeOfUuid(id: string | null): number | null {
  return id !== null && /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/.test(id) ? timeInId(id) : null;
}

function isCopy({ header }: SessionFile, fromMs: number): (line: Json) => boolean {
  return ({ timestamp }) => {
    const timeMs = parseTime(timestamp) ?? 0;
    return timeMs >= fromMs && timeMs < header.timeMs;
  };
}
