/**
 * Events older than the seal that arrive after it, and which of them are in no total. The log keeps
 * no ids of what was deleted, so records are counted: what a session has in the events, and what
 * the views count of it before the floor. Claims are left out of both, as they count in part.
 *
 * Memory grows with sessions. An event that is added twice counts twice.
 */
import type { LedgerEvent } from '@pi-ledger/contract';
import { floorId, type LateEvents, type SealedTotals } from '../log/history.ts';
import { spentBy } from '../projections/session/entries.ts';
import { movedEntry } from '../projections/session/moved.ts';

/**
 * Records before the floor by session, without those of tools; a session with none may be absent.
 */
type CountRecords = (sessionIds: ReadonlySet<string>) => Promise<ReadonlyMap<string, number>>;

export function createSealedTotals(floorMs: number, countRecords: CountRecords): SealedTotals {
  return { floorMs, collect: () => createLateEvents(floorMs, countRecords) };
}

function createLateEvents(floorMs: number, countRecords: CountRecords): LateEvents {
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
    async inNoTotal() {
      const spent = [...bySession].filter(([, { records }]) => records > 0);
      const counts = await countRecords(new Set(spent.map(([sessionId]) => sessionId)));
      const late = new Map<string, number>();
      for (const [sessionId, { events, records }] of spent) {
        const counted = counts.get(sessionId) ?? 0;
        if (records > counted) late.set(sessionId, counted === 0 ? events : records - counted);
      }
      return late;
    },
  };
}

/** By how many records the event changes what counts of its session. */
function recordsBy(event: LedgerEvent): number {
  if (event.type !== 'pi.entry.moved.v1') return isRecord(event) ? 1 : 0;
  if (event.data.role === 'stay' || !isRecord(movedEntry(event))) return 0;
  return event.data.role === 'in' ? 1 : -1;
}

function isRecord(event: LedgerEvent): boolean {
  const spent = spentBy(event);
  return spent?.is === 'record' && spent.name.kind !== 'tool';
}
