/**
 * Events older than the seal that arrive after it, and which of them are in no total. The log keeps
 * no ids of what was deleted, so records are counted: what a session has in the events, and what
 * the views count of it before the floor. Claims are left out of both, as they count in part.
 *
 * Memory grows with sessions. An event that is added twice counts twice: add each file, or export,
 * to one of its own.
 */
import type { LedgerEvent } from '@pi-ledger/contract';
import { floorId } from '../log/history.ts';
import { spentBy } from '../projections/session/entries.ts';
import { entryOf } from '../projections/session/moved.ts';

/** What the views count of the time before the floor. */
export interface SealedTotals {
  readonly floorMs: number;
  /** Records by session, without those of tools; a session with none may be absent. */
  recordsOf(sessionIds: ReadonlySet<string>): Promise<ReadonlyMap<string, number>>;
}

/** What is in no total. */
export interface Late {
  readonly events: number;
  readonly sessions: number;
}

/** By session; none has 0. */
export type LateBySession = ReadonlyMap<string, number>;

export function sumLate(bySession: LateBySession): Late {
  return {
    events: [...bySession.values()].reduce((sum, events) => sum + events, 0),
    sessions: bySession.size,
  };
}

export interface LateEvents {
  /** Events of after the floor change nothing. */
  add(event: LedgerEvent): void;
  /** Sessions with records from before the floor. */
  sessionIds(): ReadonlySet<string>;
  /** All events of a session without any record in the totals, else the records that lack there. */
  inNoTotal(recordsOf: ReadonlyMap<string, number>): LateBySession;
}

export function createLateEvents(floorMs: number): LateEvents {
  const bySession = new Map<string, { events: number; records: number }>();
  const idMin = floorId(floorMs);
  return {
    add(event) {
      if (event.id >= idMin) return;
      const session = bySession.get(event.subject) ?? { events: 0, records: 0 };
      bySession.set(event.subject, session);
      session.events += 1;
      session.records += recordsBy(event);
    },
    sessionIds: () =>
      new Set([...bySession].filter(([, { records }]) => records > 0).map(([id]) => id)),
    inNoTotal(recordsOf) {
      const late = new Map<string, number>();
      for (const [sessionId, { events, records }] of bySession) {
        const counted = recordsOf.get(sessionId) ?? 0;
        if (records > counted) late.set(sessionId, counted === 0 ? events : records - counted);
      }
      return late;
    },
  };
}

/** By how many records the event changes what counts of its session. */
function recordsBy(event: LedgerEvent): number {
  if (event.type !== 'pi.entry.moved.v1') return isRecord(event) ? 1 : 0;
  if (event.data.role === 'stay' || !isRecord(entryOf(event))) return 0;
  return event.data.role === 'in' ? 1 : -1;
}

function isRecord(event: LedgerEvent): boolean {
  const spent = spentBy(event);
  return spent?.is === 'record' && spent.name.kind !== 'tool';
}
