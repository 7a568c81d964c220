/**
 * Places for streams: a caller (a token, or an address without tokens) has some, and there are so
 * many in all.
 *
 * Guarantees: whoever comes gets a place. Where all are taken, the oldest stream yields of whoever
 * has the most: first among callers, then among the page and programs, then among programs by their
 * names. So one that opens more and more ends its own. Does not: tell programs apart that name
 * themselves alike, nor a program from the page if it sends what a browser sends.
 */
import type { Origin } from '../../origin.ts';

export interface SeatLimits {
  readonly ofCaller: number;
  readonly all: number;
}

interface Seat {
  readonly origin: Origin;
  /** Ends its stream. */
  readonly end: () => void;
}

export function createSeats({ ofCaller, all }: SeatLimits) {
  /** The oldest first. */
  const taken = new Set<Seat>();

  function makeRoom({ caller }: Origin): void {
    const seats = [...taken];
    const own = seats.filter(({ origin }) => origin.caller === caller);
    const crowd = own.length >= ofCaller ? own : seats.length >= all ? seats : [];
    const yielding = oldestOfLargest(crowd);
    if (yielding === undefined) return;
    taken.delete(yielding);
    yielding.end();
  }

  return {
    /** Returns what gives the place back. */
    take(origin: Origin, end: () => void): () => void {
      makeRoom(origin);
      const seat = { origin, end };
      taken.add(seat);
      return () => void taken.delete(seat);
    },
  };
}

/** Among equals, a program yields before the page, then whoever has the oldest first stream. */
function oldestOfLargest(seats: readonly Seat[]): Seat | undefined {
  const ofCaller = largest(seats, ({ origin }) => origin.caller);
  const ofKind = largest(ofCaller.toSorted(byKind), ({ origin }) => origin.kind);
  return largest(ofKind, ({ origin }) => origin.name)[0];
}

/** Keeps the order of each kind. */
function byKind(one: Seat, other: Seat): number {
  return Number(one.origin.kind === 'page') - Number(other.origin.kind === 'page');
}

function largest(seats: readonly Seat[], keyOf: (seat: Seat) => string): readonly Seat[] {
  const groups = [...Map.groupBy(seats, keyOf).values()];
  return groups.reduce<readonly Seat[]>(
    (most, group) => (group.length > most.length ? group : most),
    [],
  );
}
