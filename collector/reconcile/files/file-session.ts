/** What the files of one session say together. */
import { type Figures, noFigures, noSums, type SessionSums } from '../figures.ts';
import type { Unit } from '../unit.ts';
import type { FileUnit } from './file-unit.ts';
import type { SessionFile } from './session-files.ts';

export interface FileSession {
  readonly sessionId: string;
  /** The session's file, or several copies of it. */
  readonly files: SessionFile[];
  readonly sums: SessionSums;
  /** All usage in its files, whoever owns it and whatever repeats it. */
  readonly everything: Figures;
  /** How many units are copies, by the session that owns them. */
  readonly copies: Map<string, number>;
  unreadableLines: number;
  /** Entry ids on unreadable lines, as far as they can be found. */
  readonly unreadableIds: Set<string>;
  /** Units before the floor of deleted history, in no sums. */
  sealedUnits: number;
  /** Units too far in the future for the log. */
  unitsAhead: number;
  /** Units made while the user had paused the recording, in no sums. Copies count once. */
  privateUnits: number;
  /** When the first and the last of its own records were made. */
  firstMs: number;
  lastMs: number;
  /** Units of which more may have been spent than anybody says. */
  lowerBounds: number;
  /** Summaries that extensions made, of unknown cost. */
  unsaidSummaries: number;
  /** Files that may be private. */
  mayBePrivate: number;
  /** Units that another agent spent, in no sums. */
  otherAgentsUnits: number;
}

export function openSession(sessions: Map<string, FileSession>, file: SessionFile): FileSession {
  const { sessionId } = file.header;
  const session = sessions.get(sessionId) ?? createSession(sessionId);
  session.files.push(file);
  sessions.set(sessionId, session);
  return session;
}

function createSession(sessionId: string): FileSession {
  return {
    sessionId,
    files: [],
    sums: noSums(),
    everything: noFigures(),
    copies: new Map(),
    unreadableLines: 0,
    unreadableIds: new Set(),
    sealedUnits: 0,
    unitsAhead: 0,
    privateUnits: 0,
    firstMs: Number.POSITIVE_INFINITY,
    lastMs: 0,
    lowerBounds: 0,
    unsaidSummaries: 0,
    mayBePrivate: 0,
    otherAgentsUnits: 0,
  };
}

/** Whether it counts nowhere; then it is only counted. */
export function isAside(
  { isPrivate, isOfOtherAgent }: FileUnit,
  session: FileSession,
  isNew: () => boolean,
): boolean {
  if (isPrivate === true) session.privateUnits += isNew() ? 1 : 0;
  else if (isOfOtherAgent === true) session.otherAgentsUnits += 1;
  else return false;
  return true;
}

export function noteTime(session: FileSession, { timeMs }: Unit): void {
  session.firstMs = Math.min(session.firstMs, timeMs);
  session.lastMs = Math.max(session.lastMs, timeMs);
}

export function addCopy(session: FileSession, owner: string): void {
  session.copies.set(owner, (session.copies.get(owner) ?? 0) + 1);
}
