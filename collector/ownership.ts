/**
 * Whose entry it is, where several sessions are said to own it. The log keeps an event as it came first; what comes later under another session, or is
 * said with more certainty, is appended beside it as `pi.entry.moved.v1`, and the views move what they counted.
 *
 * The owner is the one that is certain (its own file or process says so), else the one that copies name, else the oldest ancestor known; of equals the
 * one whose id comes first, which for the hosts' ids is the older one. So it depends on what was ever said of the entry, and not on its order.
 *
 * Contract: `settle` resolves when all that follows from these events is durable. Repeating it changes nothing; if it failed, what it left out comes
 * when the events are offered again. Copies that were recorded without a price are entries of their own kind: they go `out` and `in` of the
 * same session when it turns out to be the certain owner.
 */
import { createHash } from 'node:crypto';
import type { EventData, LedgerEvent, Ownership } from '@pi-ledger/contract';
import { floorId } from './log/history.ts';
import type { Log, StoredOwner } from './log/log.ts';

export interface OwnershipSettling {
  /** These were offered, and some of them the log knew. How many events were appended. */
  settle(events: readonly LedgerEvent[], receivedAtMs: number): Promise<number>;
}

export function createOwnership(log: Log): OwnershipSettling {
  let settling: Promise<unknown> = Promise.resolve();

  async function settleAll(disputed: readonly LedgerEvent[], receivedAtMs: number): Promise<number> {
    const events: LedgerEvent[] = [];
    for (const event of bestOfEach(disputed)) events.push(...movesOf(event, await saidBefore(log, event.id)));
    return events.length === 0 ? 0 : (await log.append({ receivedAtMs, events, deadLetters: [] })).appended;
  }

  return {
    async settle(events, receivedAtMs) {
      const entries = events.filter(isOfEntry);
      if (entries.length === 0) return 0;
      const known = new Map((await log.owners(entries.map(({ id }) => id))).map((owner) => [owner.eventId, owner]));
      const disputed = entries.filter((event) => isDisputed(event, known.get(event.id)));
      if (disputed.length === 0) return 0;
      // One after another: each looks at what the one before has said.
      const settled = settling.then(() => settleAll(disputed, receivedAtMs));
      settling = settled.catch(() => undefined);
      return settled;
    },
  };
}

/** The types that say what an entry says, and are known by it alone. */
const entryTypes: ReadonlySet<string> = new Set<LedgerEvent['type']>([
  'pi.turn.completed.v1',
  'pi.tool.completed.v1',
  'pi.compaction.completed.v1',
  'pi.branch.summarized.v1',
  'pi.usage.recorded.v1',
  'pi.attempt.estimated.v1',
  'pi.subagent.claimed.v1',
  'pi.prompt.submitted.v1',
  'pi.message.appended.v1',
  'pi.model.changed.v1',
  'pi.context.edited.v1',
]);

function isOfEntry({ type }: LedgerEvent): boolean {
  return entryTypes.has(type);
}

function isDisputed({ subject, ownership }: LedgerEvent, stored: StoredOwner | undefined): boolean {
  if (stored === undefined) return false;
  return stored.subject !== subject || doubts(ownership ?? null) < doubts(stored.ownership);
}

function bestOfEach(events: readonly LedgerEvent[]): Iterable<LedgerEvent> {
  const best = new Map<string, LedgerEvent>();
  for (const event of events) {
    const known = best.get(event.id);
    if (known === undefined || compare(claimantOf(event), claimantOf(known)) < 0) best.set(event.id, event);
  }
  return best.values();
}

function claimantOf(event: LedgerEvent): Claimant {
  return { subject: event.subject, ownership: event.ownership ?? null, event };
}

/** One that is said to own the entry. */
interface Claimant {
  readonly subject: string;
  readonly ownership: Ownership | null;
  readonly event: { readonly type: string; readonly data: object };
}

interface Said {
  readonly first: LedgerEvent;
  readonly moves: readonly LedgerEvent<'pi.entry.moved.v1'>[];
}

/** What the log has at one millisecond: some entries of a family, and what was moved of them. */
const togetherMax = 10_000;

/** Everything that was said of the entry; moves bear the time of the entry in their ids. Null when its event is not there. */
async function saidBefore(log: Log, eventId: string): Promise<Said | null> {
  const timeMs = Number.parseInt(eventId.slice(0, 8) + eventId.slice(9, 13), 16);
  const stored = await log.history.below(timeMs + 1, Number.MAX_SAFE_INTEGER, floorId(timeMs), togetherMax);
  const first = stored.find(({ event }) => event.id === eventId)?.event;
  const moves = stored.map(({ event }) => event).filter((event) => event.type === 'pi.entry.moved.v1' && event.data.eventId === eventId);
  return first === undefined ? null : { first, moves: moves as LedgerEvent<'pi.entry.moved.v1'>[] };
}

/** What there is to append; nothing when the owner known before is as good. */
function movesOf(event: LedgerEvent, said: Said | null): readonly LedgerEvent[] {
  if (said === null) return [];
  const { first, moves } = said;
  const claimants: Claimant[] = [
    claimantOf(first),
    ...moves
      .filter(({ data }) => data.role !== 'out')
      .map(({ subject, data }) => ({ subject, ownership: data.ownership, event: data.event })),
  ];
  const before = claimants.reduce((best, each) => (compare(each, best) < 0 ? each : best));
  const after = claimantOf(event);
  if (compare(after, before) >= 0) return [];
  if (after.subject === before.subject && countsAlike(after, before)) return [moveOf(first, 'stay', { ...after, event: before.event })];
  // Out before in: what is cut short counts too little until it is offered again, and never twice.
  return [moveOf(first, 'out', before), moveOf(first, 'in', after)];
}

function compare(left: Claimant, right: Claimant): number {
  const byDoubt = doubts(left.ownership) - doubts(right.ownership);
  if (byDoubt !== 0 || left.subject === right.subject) return byDoubt;
  return left.subject < right.subject ? -1 : 1;
}

const order: readonly (Ownership | null)[] = [null, 'unsure', 'named', 'assumed'];

function doubts(ownership: Ownership | null): number {
  return order.indexOf(ownership);
}

/** Views count what a copy says without a price less than what its owner says. */
function countsAlike(left: Claimant, right: Claimant): boolean {
  return isCopy(left.ownership) === isCopy(right.ownership);
}

function isCopy(ownership: Ownership | null): boolean {
  return ownership === 'named' || ownership === 'assumed';
}

function moveOf({ id, time }: LedgerEvent, role: EventData<'pi.entry.moved.v1'>['role'], claimant: Claimant): LedgerEvent {
  const { subject, ownership, event } = claimant;
  return {
    specversion: '1.0',
    id: moveId(id, role, claimant),
    source: '/collector',
    type: 'pi.entry.moved.v1',
    time,
    subject,
    data: { eventId: id, role, ownership, event: { type: event.type, data: event.data } },
  };
}

/** The same for the same move, with the entry's time in front. */
function moveId(eventId: string, role: string, { subject, ownership }: Claimant): string {
  const hex = createHash('sha256')
    .update(JSON.stringify([eventId, role, subject, ownership]))
    .digest('hex');
  const variant = ((Number.parseInt(hex.slice(3, 4), 16) & 0x3) | 0x8).toString(16);
  return `${eventId.slice(0, 13)}-8${hex.slice(0, 3)}-${variant}${hex.slice(4, 7)}-${hex.slice(7, 19)}`;
}
