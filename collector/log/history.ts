/**
 * The sealed part of the log, which may be deleted (docs/decisions/0012).
 *
 * Contract (every implementation passes the suite in test/suites/history.ts):
 * - An event is *below* a floor when the time in its id is. Once a seal is in force, `append`
 *   stores no event below its floor and counts it in `expired`; events already in the log stay
 *   until they are expired.
 * - When `enforce` resolves, the seal is durable and every append begun before it has ended. It
 *   rejects, and changes nothing, unless the seal's parts come after those of the seal in force,
 *   and when another process has taken over the log.
 * - `expire` deletes only what the seal in force covers: events below its floor before its first
 *   part, and superseded parts. It may be killed and called again. No position is reused, and
 *   `read` returns fewer events. Until then those events refuse copies of themselves.
 */
import type { LedgerEvent } from '@pi-ledger/contract';
import type { StoredEvent } from './stored-event.ts';

export interface Seal {
  readonly sealId: string;
  readonly floorMs: number;
  /** Positions of its first and last part. */
  readonly first: number;
  readonly last: number;
  /** Positions of the parts of the previous seal. */
  readonly superseded: { readonly first: number; readonly last: number } | null;
}

export interface History {
  /** The seal in force; null when nothing was sealed yet. */
  seal(): Promise<Seal | null>;
  /** Position of the event with this id; null when it is not in the log. */
  positionOf(eventId: string): Promise<number | null>;
  /**
   * Events below the floor and before the position, ordered by id from `afterId` (exclusive); at
   * most `limit`, and bounded by `charsMax` as in `Log.read`.
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
  /**
   * Deletes at most `limit` events and returns their number; 0 when nothing is left to delete.
   * Events at or after `untilMs` stay; default: all that is covered goes.
   */
  expire(limit: number, untilMs?: number): Promise<number>;
  /** No append that is under way, or comes, stores an event below this; 0: nothing is said. */
  settledFloorMs(): Promise<number>;
}

/** What arrives below the floor, and which of it the totals have nevertheless. */
export interface SealedTotals {
  readonly floorMs: number;
  /** For the events of one file or export, each once. */
  collect(): LateEvents;
}

export interface LateEvents {
  /** An event of after the floor changes nothing. */
  add(event: LedgerEvent): void;
  /**
   * By session, events that are in no total: all of a session without any record there, else as
   * many as the totals lack records. Rejects when the totals cannot be read.
   */
  inNoTotal(): Promise<ReadonlyMap<string, number>>;
}

export interface Late {
  readonly events: number;
  readonly sessions: number;
}

export function sumLate(bySession: ReadonlyMap<string, number>): Late {
  return {
    events: [...bySession.values()].reduce((sum, events) => sum + events, 0),
    sessions: bySession.size,
  };
}

/** Sorts after every id of an earlier time and before all others. */
export function floorId(floorMs: number): string {
  const hex = Math.max(0, floorMs).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}`;
}

export const sealedType = 'pi.history.sealed.v1';
