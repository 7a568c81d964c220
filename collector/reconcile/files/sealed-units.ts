/**
 * What the session files say of the time before the floor of deleted history: sums by session, and
 * which sessions' tool results repeat the answers of others. Pure.
 */
import { isResponse } from '../claim-book.ts';
import { addUnit, noSums, type SessionSums } from '../figures.ts';
import type { Unit } from '../unit.ts';
import type { HeldUnit } from './first-holders.ts';
import { createSeenUnits } from './seen-units.ts';

export interface SealedSession {
  readonly sums: SessionSums;
  /** They sum those units that are older than their file: copies whose original is in no file. */
  readonly inherited: SessionSums;
}

interface SealedUnits {
  readonly sessions: ReadonlyMap<string, SealedSession>;
  /** How many answers are repeated. */
  repeated(): number;
  /** By session: those that repeat its answers. `sessionAt`: of the file with this index. */
  repeaters(sessionAt: (index: number) => string): ReadonlyMap<string, ReadonlySet<string>>;
}

export interface SealedUnitsTaking extends SealedUnits {
  /** `answer`: the digits of its response key; null for what is no answer. */
  take(held: HeldUnit, answer: string | null): void;
  /** Call for units of after the floor, too. */
  noteClaim(unit: Unit): void;
}

export function createSealedUnits(digitsOf: (responseKey: string) => string): SealedUnitsTaking {
  const sessions = new Map<string, SealedSession>();
  const answers = createSeenUnits();
  const repeats: { readonly answer: string; readonly sessionId: string }[] = [];
  return {
    sessions,
    take({ unit, index, inherited }, answer) {
      const session = sessions.get(unit.sessionId) ?? { sums: noSums(), inherited: noSums() };
      sessions.set(unit.sessionId, session);
      addUnit(session.sums, unit);
      if (inherited) addUnit(session.inherited, unit);
      if (answer !== null) answers.add(answer, index);
    },
    noteClaim({ claimKey, sessionId }) {
      if (claimKey !== null && isResponse(claimKey))
        repeats.push({ answer: digitsOf(claimKey), sessionId });
    },
    repeated: () => repeats.length,
    repeaters(sessionAt) {
      const repeaters = new Map<string, Set<string>>();
      for (const { answer, sessionId } of repeats) {
        const index = answers.find(answer);
        if (index === null) continue;
        const answerer = sessionAt(index);
        repeaters.set(answerer, (repeaters.get(answerer) ?? new Set()).add(sessionId));
      }
      return repeaters;
    },
  };
}
