/**
 * The claims on an entry's owner, and the moves that follow from them. Pure.
 *
 * An entry can be in the log as two events: omp's `/tan` removes the price from what it copies, and
 * the usage is part of an event's id. Two events of one entry are twins. They have one owner,
 * whichever of them names it, so that its document sees that one is a copy of the other.
 */
import { createHash } from 'node:crypto';
import type { EventData, LedgerEvent, Ownership, Spend } from '@pi-ledger/contract';
import { withOrchestration } from '@pi-ledger/core/record/orchestration';

/** A session that is claimed to own the entry. */
export interface Claimant {
  readonly subject: string;
  readonly ownership: Ownership | null;
  readonly event: { readonly type: string; readonly data: object };
}

/** An event of an entry, and its moves in the log's order. */
export interface EntryHistory {
  readonly first: LedgerEvent;
  readonly moves: readonly OwnershipMove[];
  /** How many moves of it were withdrawn: the same one may have to be made again. */
  readonly withdrawn: number;
}

export type OwnershipMove = LedgerEvent<'pi.entry.moved.v1'>;

export function claimantOf(event: LedgerEvent): Claimant {
  return { subject: event.subject, ownership: event.ownership ?? null, event };
}

/** Negative: the left one is the better owner. */
export function compareClaimants(left: Claimant, right: Claimant): number {
  const byDoubt = doubts(left.ownership) - doubts(right.ownership);
  if (byDoubt !== 0 || left.subject === right.subject) return byDoubt;
  return left.subject < right.subject ? -1 : 1;
}

export function doubts(ownership: Ownership | null): number {
  return order.indexOf(ownership);
}

const order: readonly (Ownership | null)[] = [null, 'unsure', 'named', 'assumed'];

/**
 * Whether one of the two is a copy without the price, and they agree in everything else that they
 * say of the response.
 */
export function areTwins(left: LedgerEvent, right: LedgerEvent): boolean {
  const [one, other] = [spendIn(left), spendIn(right)];
  if (one === null || other === null || left.type !== right.type || left.time !== right.time)
    return false;
  if ((one.costSource === 'unpriced') === (other.costSource === 'unpriced')) return false;
  return (
    entryIdIn(left) === entryIdIn(right) && sameNames.every((name) => one[name] === other[name])
  );
}

const sameNames = [
  'reported',
  'provider',
  'model',
  'responseId',
  'inputTokens',
  'outputTokens',
  'cacheReadTokens',
  'cacheWriteTokens',
] as const satisfies readonly (keyof Spend)[];

/** Returns null for an event without spend, or whose spend was not reported. */
export function spendIn({ data }: LedgerEvent): Spend | null {
  return 'spend' in data && data.spend?.reported === true ? withOrchestration(data.spend) : null;
}

function entryIdIn({ data }: LedgerEvent): string | null {
  return 'entryId' in data ? data.entryId : null;
}

/**
 * The moves to append for a new claim, with its token; none when the present owner is as good. The
 * first of `histories` is the event's own, the others are its twins'.
 */
export function planMoves(
  event: LedgerEvent,
  histories: readonly EntryHistory[],
): readonly LedgerEvent[] {
  const [own, ...twins] = histories;
  if (own === undefined) return [];
  const claim = claimantOf(event);
  const best = chooseBest([claim, ...histories.flatMap(listClaimants)]);
  const moves = [
    ...ownMoves(own, claim, best),
    ...twins.flatMap((twin) => twinMoves(twin, chooseBest(listClaimants(twin)), best)),
  ];
  const { authenticatedtoken } = event;
  if (authenticatedtoken === undefined) return moves;
  return moves.map((move) => ({ ...move, authenticatedtoken }));
}

function ownMoves(own: EntryHistory, claim: Claimant, best: Claimant): readonly LedgerEvent[] {
  const before = chooseBest(listClaimants(own));
  const after = chooseBest([claim, before]);
  if (best.subject !== after.subject) return twinMoves(own, after, best);
  if (compareClaimants(after, before) >= 0) return twinMoves(own, after, best);
  if (currentClaimant(own).subject === after.subject && countsAlike(after, before))
    return [makeMove(own, 'stay', { ...after, event: before.event })];
  const from = currentClaimant(own).subject === before.subject ? before : currentClaimant(own);
  // Out before in: after a crash in between it counts too little until offered again, never twice.
  return [makeMove(own, 'out', from), makeMove(own, 'in', after)];
}

/** Moves to where the twin counts, if that is elsewhere. A copy without a price stays one. */
function twinMoves(history: EntryHistory, own: Claimant, best: Claimant): readonly LedgerEvent[] {
  const from = currentClaimant(history);
  if (from.subject === best.subject) return [];
  const ownership =
    isCopy(best.ownership) || !isUnpriced(history.first)
      ? best.ownership
      : isCopy(own.ownership)
        ? own.ownership
        : 'named';
  const to = { subject: best.subject, ownership, event: from.event };
  const because = [best.subject, best.ownership];
  return [makeMove(history, 'out', from, because), makeMove(history, 'in', to, because)];
}

function chooseBest(claimants: readonly Claimant[]): Claimant {
  return claimants.reduce((best, each) => (compareClaimants(each, best) < 0 ? each : best));
}

function listClaimants({ first, moves }: EntryHistory): Claimant[] {
  return [claimantOf(first), ...moves.filter(({ data }) => data.role !== 'out').map(movedTo)];
}

/**
 * The session where it counts: where more came in than went out, whatever order the moves are in (a
 * copied ledger may have another). None is left where a crash came between out and in: then the
 * last move decides.
 */
function currentClaimant({ first, moves }: EntryHistory): Claimant {
  const counts = new Map([[first.subject, 1]]);
  for (const { subject, data } of moves)
    counts.set(subject, (counts.get(subject) ?? 0) + change[data.role]);
  const present = [...counts].filter(([, count]) => count > 0).map(([subject]) => subject);
  const isCurrent = ({ subject }: OwnershipMove) => present.length !== 1 || subject === present[0];
  const last = moves.findLast((move) => move.data.role === 'in' && isCurrent(move));
  return last === undefined ? claimantOf(first) : movedTo(last);
}

const change: Readonly<Record<Role, number>> = { in: 1, out: -1, stay: 0 };

function movedTo({ subject, data }: OwnershipMove): Claimant {
  return { subject, ownership: data.ownership, event: data.event };
}

function isUnpriced(event: LedgerEvent): boolean {
  return spendIn(event)?.costSource === 'unpriced';
}

/** Views treat a copy without a price differently from the owner's event. */
function countsAlike(left: Claimant, right: Claimant): boolean {
  return isCopy(left.ownership) === isCopy(right.ownership);
}

export function isCopy(ownership: Ownership | null | undefined): boolean {
  return ownership === 'named' || ownership === 'assumed';
}

type Role = EventData<'pi.entry.moved.v1'>['role'];

/** `because`: for a twin, which moves without a claim of its own. */
function makeMove(
  { first: { id, time }, withdrawn }: EntryHistory,
  role: Role,
  claimant: Claimant,
  because: readonly unknown[] = [],
): LedgerEvent {
  const { subject, ownership, event } = claimant;
  return {
    specversion: '1.0',
    id: moveId(id, role, claimant, withdrawn === 0 ? because : [...because, withdrawn]),
    source: '/collector',
    type: 'pi.entry.moved.v1',
    time,
    subject,
    data: { eventId: id, role, ownership, event: { type: event.type, data: event.data } },
  };
}

/** The same move has the same id, until it is withdrawn; it begins with the entry's time. */
function moveId(
  eventId: string,
  role: Role,
  { subject, ownership }: Claimant,
  because: readonly unknown[],
): string {
  const hex = createHash('sha256')
    .update(JSON.stringify([eventId, role, subject, ownership, ...because]))
    .digest('hex');
  const variant = ((Number.parseInt(hex.slice(3, 4), 16) & 0x3) | 0x8).toString(16);
  const digits = [`8${hex.slice(0, 3)}`, `${variant}${hex.slice(4, 7)}`, hex.slice(7, 19)];
  return [eventId.slice(0, 13), ...digits].join('-');
}
