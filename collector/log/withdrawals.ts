/**
 * What administrators took back (`pi.records.withdrawn.v1`): which events of the log count for
 * nobody. Pure.
 *
 * The log keeps these events and its positions. Whoever reads events gets a withdrawn one without
 * its content, as one of a type that nobody knows, so that no view, exporter or answer can count
 * it; whoever reads texts gets it as it came.
 */
import type { LedgerEvent } from '@pi-ledger/contract';
import { sealedType } from './history.ts';
import type { StoredEvent } from './stored-event.ts';

export const withdrawnType = 'pi.records.withdrawn.v1';

export type Withdrawal = LedgerEvent<typeof withdrawnType>;

export interface Withdrawals {
  /** A text that differs where other events are withdrawn; empty: none are. */
  readonly version: string;
  /** In the order in which they came. */
  readonly list: readonly Withdrawal[];
  /** Whether the event was taken back. Never one that `isOfLedger`. */
  names(stored: StoredEvent): boolean;
  /** Whether one names this id, as an export may whose moves were never made here. */
  namesId(id: string): boolean;
}

export const noWithdrawals: Withdrawals = {
  ...{ version: '', list: [] },
  ...{ names: () => false, namesId: () => false },
};

export function isWithdrawal(event: LedgerEvent): event is Withdrawal {
  return event.type === withdrawnType;
}

/**
 * What the ledger says of itself, and cannot do without: no producer can send it
 * (ingest/sender.ts), so it is never what should not have come. What the ledger says of a session
 * (moves, labels) goes with that session.
 */
const ofLedger: ReadonlySet<string> = new Set<LedgerEvent['type']>([
  withdrawnType,
  sealedType,
  'pi.budget.defined.v1',
  'pi.budget.crossed.v1',
]);

export function isOfLedger({ type }: Pick<LedgerEvent, 'type'>): boolean {
  return ofLedger.has(type);
}

/** `withdrawals`: all that the log has, with their positions. */
export function createWithdrawals(withdrawals: readonly StoredEvent[]): Withdrawals {
  const found = withdrawals.map(({ event }) => event).filter(isWithdrawal);
  if (found.length === 0) return noWithdrawals;
  const records = found.map(({ data }) => data.records);
  const events = new Set(records.flatMap((each) => each.events));
  const sessions = new Set(records.flatMap(({ session }) => session ?? []));
  const tokens = Map.groupBy(
    records.flatMap(({ token }) => (token === null ? [] : [tokenTimes(token)])),
    ({ id }) => id,
  );

  function isOfToken({ event, receivedAtMs }: StoredEvent): boolean {
    const { authenticatedtoken: id } = event;
    if (id === undefined) return false;
    const times = tokens.get(id) ?? [];
    return times.some(({ sinceMs, untilMs }) => sinceMs <= receivedAtMs && receivedAtMs < untilMs);
  }

  return {
    version: `${Math.max(...withdrawals.map(({ position }) => position))}`,
    list: found,
    namesId: (id) => events.has(id),
    names(stored) {
      const { event } = stored;
      if (isOfLedger(event) || stored.damage !== undefined) return false;
      return (
        events.has(event.id) ||
        sessions.has(event.subject) ||
        (event.type === 'pi.entry.moved.v1' ? events.has(event.data.eventId) : isOfToken(stored))
      );
    },
  };
}

/**
 * Joins what the logs of several cells say; each has all withdrawals. One that has not reached all
 * of them yet names nothing, so that it can be asked for again.
 */
export function joinWithdrawals(cells: readonly Withdrawals[]): Withdrawals {
  if (cells.every(({ version }) => version === '')) return noWithdrawals;
  return {
    version: cells.map(({ version }) => version).join(','),
    list: cells.find(({ list }) => list.length > 0)?.list ?? [],
    names: (stored) => cells.every((each) => each.names(stored)),
    namesId: (id) => cells.some((each) => each.namesId(id)),
  };
}

/** Withdrawn, or a withdrawal: no view has anything of it. */
export function isOfNoView({ type }: LedgerEvent): boolean {
  return type === withdrawnType || (type as string) === withoutContentType;
}

/** No event has it. */
const withoutContentType = 'withdrawn';

/** The event in its place, without what it says: its type is none. */
function withoutContent(stored: StoredEvent): StoredEvent {
  const { id, source, time, specversion } = stored.event;
  const event = { specversion, id, source, type: withoutContentType, time, subject: '', data: {} };
  return { ...stored, event: event as unknown as LedgerEvent };
}

/** Returns the events, which were read together, the withdrawn ones without their content. */
export function applyWithdrawals(
  events: readonly StoredEvent[],
  withdrawals: Withdrawals,
): readonly StoredEvent[] {
  if (withdrawals.version === '') return events;
  return events.map((stored) => (withdrawals.names(stored) ? withoutContent(stored) : stored));
}

interface TokenTimes {
  readonly id: string;
  readonly sinceMs: number;
  readonly untilMs: number;
}

function tokenTimes(token: NonNullable<Withdrawal['data']['records']['token']>): TokenTimes {
  return { id: token.id, sinceMs: Date.parse(token.since), untilMs: Date.parse(token.until) };
}
