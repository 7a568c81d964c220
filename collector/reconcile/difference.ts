import { type ReasonCode, reasons } from './reasons.ts';
import { timeText, type Unit } from './unit.ts';

/** One difference of one session, or several of the same kind that are told together. */
export interface Difference {
  readonly reason: ReasonCode;
  readonly explained: boolean;
  /** Of records, lines or whatever the reason speaks of. */
  readonly count: number;
  readonly kind?: string;
  readonly entryId?: string;
  /** ISO, UTC. */
  readonly at?: string;
  readonly file?: string;
  readonly line?: number;
  /** Where the event stands in the log. */
  readonly position?: number;
  readonly eventId?: string;
  /** What the two sides say, as text. */
  readonly inFiles?: string;
  readonly inLog?: string;
  readonly inViews?: string;
  /** The other session, where two are concerned. */
  readonly otherSessionId?: string;
}

export function difference(
  reason: ReasonCode,
  count: number,
  details: Omit<Difference, 'reason' | 'explained' | 'count'> = {},
): Difference {
  return { reason, explained: reasons[reason].explained, count, ...details };
}

/** Names the unit it is about. */
export function aboutUnit({
  kind,
  claimKey,
  entryId,
  timeMs,
}: Unit): Pick<Difference, 'kind' | 'entryId' | 'at'> {
  return { kind: claimKey === null ? kind : `claim ${claimKey}`, entryId, at: timeText(timeMs) };
}
