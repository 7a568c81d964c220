/**
 * What of the log was sealed and may be deleted (docs/decisions/0012).
 *
 * Contract (the suite in test/suites/history.ts holds every implementation to it):
 * - An event is *below* a floor when the time in its id is. Once a seal is in force, `append`
 *   stores no event below its floor and counts it in `expired`; what is in the log already stays
 *   until it is expired.
 * - `enforce` is durable, and every append that had begun before it is over, when it resolves. It
 *   rejects, and changes nothing, unless the seal's parts stand after those of the seal in force,
 *   and when another process has taken the log over meanwhile.
 * - `expire` deletes only what the seal in force covers: events below its floor that stand before
 *   its first part, and superseded parts. It may be killed and called again. Nothing gets a
 *   position twice, and `read` finds fewer events.
 */
import type { StoredEvent } from './stored-event.ts';

export interface Seal {
  readonly sealId: string;
  readonly floorMs: number;
  /** Positions of its first and its last part. */
  readonly first: number;
  readonly last: number;
  /** Of the parts of the seal before. */
  readonly superseded: { readonly first: number; readonly last: number } | null;
}

export interface History {
  /** The one in force; null: nothing was sealed yet. */
  seal(): Promise<Seal | null>;
  /** Position of the event with this id; null when it is not in the log. */
  positionOf(eventId: string): Promise<number | null>;
  /**
   * Events below the floor that stand before the position, by their ids, which are > `afterId`; at
   * most `limit`, and no more than `Log.read` has of `charsMax`.
   */
  below(
    floorMs: number,
    before: number,
    afterId: string,
    limit: number,
    charsMax?: number,
  ): Promise<readonly StoredEvent[]>;
  countBelow(floorMs: number): Promise<number>;
  enforce(seal: Seal): Promise<void>;
  /** Deletes at most `limit` events; how many. 0 when none is left to be deleted. */
  expire(limit: number): Promise<number>;
}

/** Every id of an earlier time is less than this text, and no other is. */
export function floorId(floorMs: number): string {
  const hex = Math.max(0, floorMs).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}`;
}

export const sealedType = 'pi.history.sealed.v1';
