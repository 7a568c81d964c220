/**
 * The company's quarter (overview/work.ts) as its agents send it: many sessions are open at once,
 * and each sends a few events when it is its turn. Always the same ones, so that a part of a long
 * run goes on where the last one ended.
 */
import type { LedgerEvent } from '@pi-ledger/contract';
import { type WorkOrder, work } from './overview/work.ts';

export interface LiveWork extends WorkOrder {
  readonly sessionsOpen: number;
  /** Of one session in its turn, at most. */
  readonly eventsMax: number;
}

/** Each batch is of one session. Endless. */
export function* liveBatches(of: LiveWork): Generator<readonly LedgerEvent[]> {
  const sessions = work(of);
  const next = (): LedgerEvent[] => [...(sessions.next().value ?? [])];
  const open = Array.from({ length: of.sessionsOpen }, next);
  for (let turn = 0; ; turn = (turn + 1) % of.sessionsOpen) {
    const session = open[turn] ?? [];
    yield session.splice(0, of.eventsMax);
    if (session.length === 0) open[turn] = next();
  }
}

/** The same, one after the other, without the first ones. */
export function* liveEvents(of: LiveWork, skipped: number): Generator<LedgerEvent> {
  let seen = 0;
  for (const batch of liveBatches(of))
    for (const event of batch) {
      seen += 1;
      if (seen > skipped) yield event;
    }
}
