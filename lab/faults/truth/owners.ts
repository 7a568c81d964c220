/** Which session each entry counts in that a fork has, too, by the log and the moves in it. */
import type { LedgerEvent } from '@pi-ledger/contract';
import { placeOf, planned } from '../load/events.ts';

export interface Owners {
  /** One event of the log. Returns what is wrong with it. */
  see(event: Pick<LedgerEvent, 'id' | 'type' | 'subject' | 'data'>): readonly string[];
  /** Entries that do not count once, in the session that they belong to. */
  misplaced(): readonly string[];
  /** Moves seen that say where an entry counts now. */
  moved(): number;
}

export function createOwners(seed: number): Owners {
  /** By entry and session: how often it counts there. */
  const counts = new Map<string, Map<string, number>>();
  let moved = 0;

  function count(id: string, subject: string, by: number): void {
    const ofEntry = counts.get(id) ?? new Map<string, number>();
    ofEntry.set(subject, (ofEntry.get(subject) ?? 0) + by);
    counts.set(id, ofEntry);
  }

  function ownerOf(id: string): string | null {
    const place = placeOf(id);
    const plan = place === null ? null : planned(seed, place);
    return plan === null || plan.copy === null ? null : plan.session;
  }

  return {
    see({ id, type, subject, data }) {
      if (type !== 'pi.entry.moved.v1') {
        if (ownerOf(id) !== null) count(id, subject, 1);
        return [];
      }
      const { eventId, role } = data as { readonly eventId: string; readonly role: Role };
      if (ownerOf(eventId) === null) return [`${id} moves ${eventId}, which nobody claims`];
      count(eventId, subject, countedBy[role]);
      if (role === 'in') moved += 1;
      return [];
    },
    misplaced: () =>
      [...counts].flatMap(([id, ofEntry]) => {
        const owner = ownerOf(id);
        const counted = [...ofEntry].filter(([, times]) => times !== 0);
        const isRight =
          counted.length === 1 && counted[0]?.[0] === owner && ofEntry.get(owner) === 1;
        return isRight ? [] : [`${id} of ${owner} counts in ${JSON.stringify(counted)}`];
      }),
    moved: () => moved,
  };
}

type Role = 'in' | 'out' | 'stay';
const countedBy = { in: 1, out: -1, stay: 0 } as const;
