/**
 * The moves that a withdrawal has to name beside what it takes back, so that each entry counts once
 * afterwards: with the best owner that is left, or nowhere.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EventData } from '@pi-ledger/contract';
import { type Claimant, claimantOf, compareClaimants } from '../../ingest/entry-claims.ts';
import type { Log } from '../../log/log.ts';
import { readEvent, type StoredEvent } from '../../log/stored-event.ts';

/** A move of an entry between sessions, withdrawn or not. */
export interface WithdrawalMove {
  readonly id: string;
  readonly eventId: string;
  readonly subject: string;
  readonly role: EventData<'pi.entry.moved.v1'>['role'];
  readonly ownership: Claimant['ownership'];
  /** Whether the new withdrawal names it. */
  readonly isNamed: boolean;
  /** Whether it counts no more once that is in force. */
  readonly isGone: boolean;
  /** Whether it follows from a claim by the withdrawn token. */
  readonly isCaused: boolean;
}

const entriesPerTurn = 100;

/** `isNamed`, `isGone`: of an event, as those of a move. */
export async function movesWith(
  log: Log,
  moves: readonly WithdrawalMove[],
  isNamed: (stored: StoredEvent) => boolean,
  isGone: (stored: StoredEvent) => boolean,
): Promise<readonly string[]> {
  const found: string[] = [];
  let looked = 0;
  for (const [eventId, own] of Map.groupBy(moves, (move) => move.eventId)) {
    looked += 1;
    if (looked % entriesPerTurn === 0) await nextTurn();
    const entry = await eventAt(log, eventId);
    if (entry === null || !(isNamed(entry) || own.some(isTouched))) continue;
    const counting = own.filter((move) => !move.isGone);
    const { claimed = [], left = [] } = Object.groupBy(counting, (move) =>
      move.isCaused && move.role !== 'out' ? 'claimed' : 'left',
    );
    const more = isGone(entry) ? left : takenInVain(entry, left);
    found.push(...[...claimed, ...more].map(({ id }) => id));
  }
  return found;
}

function isTouched({ isNamed, isCaused }: WithdrawalMove): boolean {
  return isNamed || isCaused;
}

/**
 * What took the entry from the best owner that is left, where the one that it was given to is gone.
 * Owners only become better, so that one had it last.
 */
function takenInVain(
  { event }: StoredEvent,
  left: readonly WithdrawalMove[],
): readonly WithdrawalMove[] {
  const taken = left.filter(({ role }) => role === 'out');
  const given = left.filter(({ role }) => role === 'in');
  if (taken.length <= given.length) return [];
  const claims = left.filter(({ role }) => role !== 'out').map((move) => ({ ...move, event }));
  const best = claims.reduce<Claimant>(
    (known, each) => (compareClaimants(each, known) < 0 ? each : known),
    claimantOf(event),
  );
  const last = taken.findLast(({ subject }) => subject === best.subject) ?? taken.at(-1);
  return last === undefined ? [] : [last];
}

/** With its content, withdrawn or not. */
export async function eventAt(log: Log, eventId: string): Promise<StoredEvent | null> {
  const position = await log.history.positionOf(eventId);
  if (position === null) return null;
  const stored = (await log.readTexts(position - 1, 1)).map(readEvent)[0];
  return stored?.event.id === eventId && stored.damage === undefined ? stored : null;
}
