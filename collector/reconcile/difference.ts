import { type ReasonCode, reasons } from './reasons.ts';
import { timeText, type Unit } from './unit.ts';

/** One difference of a session, or several of the same kind reported together. */
export interface Difference {
  readonly reason: ReasonCode;
  readonly explained: boolean;
  /** How many records, lines or whatever the reason is about. */
  readonly count: number;
  readonly kind?: string;
  readonly entryId?: string;
  /** ISO, UTC. */
  readonly at?: string;
  readonly file?: string;
  readonly line?: number;
  /** The event's position in the log. */
  readonly position?: number;
  readonly eventId?: string;
  /** What each side says, as text. */
  readonly inFiles?: string;
  readonly inLog?: string;
  readonly inViews?: string;
  /** The other session, when the difference involves two. */
  readonly otherSessionId?: string;
}

export function difference(
  reason: ReasonCode,
  count: number,
  details: Omit<Difference, 'reason' | 'explained' | 'count'> = {},
): Difference {
  return { reason, explained: reasons[reason].explained, count, ...details };
}

/** The details that identify a unit. */
export function aboutUnit({
  kind,
  claimKey,
  entryId,
  timeMs,
}: Unit): Pick<Difference, 'kind' | 'entryId' | 'at'> {
  return { kind: claimKey === null ? kind : `claim ${claimKey}`, entryId, at: timeText(timeMs) };
}
