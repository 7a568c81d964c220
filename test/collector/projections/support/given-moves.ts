/** Moves of entries to other sessions, as events. */
import type { EventData, LedgerEvent, Ownership } from '@pi-ledger/contract';
import { event, spendOf } from './given.ts';

export const spend = spendOf({
  inputTokens: 100,
  outputTokens: 20,
  cacheReadTokens: 300,
  cacheWriteTokens: 40,
  costNanoUsd: 5_000,
});

type Role = EventData<'pi.entry.moved.v1'>['role'];

/** A move as collector/ingest/ownership.ts writes it. */
export function moved(
  { id, time, type, data }: LedgerEvent,
  role: Role,
  session: string,
  ownership: Ownership | null = null,
): LedgerEvent {
  return event('pi.entry.moved.v1', { at: time, session, source: '/collector' }, {
    eventId: id,
    role,
    ownership,
    event: { type, data },
  } as Partial<EventData<'pi.entry.moved.v1'>>);
}

export function moves(entry: LedgerEvent, to: string): LedgerEvent[] {
  return [
    moved(entry, 'out', entry.subject, entry.ownership ?? null),
    moved(entry, 'in', to, entry.ownership ?? null),
  ];
}
