/**
 * What was said of an entry's owner, and what moves follow from it. Pure.
 *
 * An entry can be in the log as two events: omp's `/tan` takes the price out of what it copies, and
 * the usage is part of an event's id. Two events of one entry are twins; they have one owner,
 * whichever of them tells of it, so that its document sees that the one is a copy of the other.
 */
import { createHash } from 'node:crypto';
import type { EventData, LedgerEvent, Ownership, Spend } from '@pi-ledger/contract';

/** One that is said to own the entry. */
export interface Claimant {
  readonly subject: string;
  readonly ownership: Ownership | null;
  readonly event: { readonly type: string; readonly data: object };
}

/** An event of an entry, and what was moved of it, in the log's order. */
export interface Said {
  readonly first: LedgerEvent;
  readonly moves: readonly Move[];
}

export type Move = LedgerEvent<'pi.entry.moved.v1'>;

export function claimantOf(event: LedgerEvent): Claimant {
  return { subject: event.subject, ownership: event.ownership ?? null, event };
}

/** Less than zero: the left one is the better owner. */
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
 * One of the two was copied without its price, and all else that they say of their answer is the
 * same.
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

/** Null for an event that tells of no spend, or of none that was reported. */
export function spendIn({ data }: LedgerEvent): Spend | null {
  return 'spend' in data && data.spend?.reported === true ? data.spend : null;
}

function entryIdIn({ data }: LedgerEvent): string | null {
  return 'entryId' in data ? data.entryId : null;
}

/**
 * What there is to append when this is said too; nothing when the owner known before is as good.
 * The first of `said` is the event's own.
 */
export function movesOf(event: LedgerEvent, said: readonly Said[]): readonly LedgerEvent[] {
  const [own, ...twins] = said;
  if (own === undefined) return [];
  const told = claimantOf(event);
  const best = bestOf([told, ...said.flatMap(claimantsOf)]);
  return [
    ...ownMoves(own, told, best),
    ...twins.flatMap((twin) => twinMoves(twin, bestOf(claimantsOf(twin)), best)),
  ];
}

function ownMoves(own: Said, told: Claimant, best: Claimant): readonly LedgerEvent[] {
  const before = bestOf(claimantsOf(own));
  const after = bestOf([told, before]);
  if (best.subject !== after.subject) return twinMoves(own, after, best);
  if (compareClaimants(after, before) >= 0) return twinMoves(own, after, best);
  if (currentOf(own).subject === after.subject && countsAlike(after, before))
    return [moveOf(own.first, 'stay', { ...after, event: before.event })];
  const from = currentOf(own).subject === before.subject ? before : currentOf(own);
  // Out before in: what is cut short counts too little until it is offered again, and never twice.
  return [moveOf(own.first, 'out', from), moveOf(own.first, 'in', after)];
}

/** To where its twin counts, if that is elsewhere. A copy without a price stays one there. */
function twinMoves(said: Said, own: Claimant, best: Claimant): readonly LedgerEvent[] {
  const from = currentOf(said);
  if (from.subject === best.subject) return [];
  const ownership =
    isCopy(best.ownership) || !isUnpriced(said.first)
      ? best.ownership
      : isCopy(own.ownership)
        ? own.ownership
        : 'named';
  const to = { subject: best.subject, ownership, event: from.event };
  const because = [best.subject, best.ownership];
  return [moveOf(said.first, 'out', from, because), moveOf(said.first, 'in', to, because)];
}

function bestOf(claimants: readonly Claimant[]): Claimant {
  return claimants.reduce((best, each) => (compareClaimants(each, best) < 0 ? each : best));
}

function claimantsOf({ first, moves }: Said): Claimant[] {
  return [claimantOf(first), ...moves.filter(({ data }) => data.role !== 'out').map(movedTo)];
}

/** Where it counts: the last move decides. */
function currentOf({ first, moves }: Said): Claimant {
  const last = moves.findLast(({ data }) => data.role === 'in');
  return last === undefined ? claimantOf(first) : movedTo(last);
}

function movedTo({ subject, data }: Move): Claimant {
  return { subject, ownership: data.ownership, event: data.event };
}

function isUnpriced(event: LedgerEvent): boolean {
  return spendIn(event)?.costSource === 'unpriced';
}

/** Views count what a copy says without a price less than what its owner says. */
function countsAlike(left: Claimant, right: Claimant): boolean {
  return isCopy(left.ownership) === isCopy(right.ownership);
}

export function isCopy(ownership: Ownership | null | undefined): boolean {
  return ownership === 'named' || ownership === 'assumed';
}

type Role = EventData<'pi.entry.moved.v1'>['role'];

/** `because`: of a twin, which moves without anything being said of itself. */
function moveOf(
  { id, time }: LedgerEvent,
  role: Role,
  claimant: Claimant,
  because: readonly unknown[] = [],
): LedgerEvent {
  const { subject, ownership, event } = claimant;
  return {
    specversion: '1.0',
    id: moveId(id, role, claimant, because),
    source: '/collector',
    type: 'pi.entry.moved.v1',
    time,
    subject,
    data: { eventId: id, role, ownership, event: { type: event.type, data: event.data } },
  };
}

/** The same for the same move, with the entry's time in front. */
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
  return `${eventId.slice(0, 13)}-8${hex.slice(0, 3)}-${variant}${hex.slice(4, 7)}-${hex.slice(7, 19)}`;
}
