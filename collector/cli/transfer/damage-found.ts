/** Counts the damaged events of a log that is copied, names the first of them, and what else is. */

import type { UnreadLetters } from '../../ingest/readable-letters.ts';
import type { DamagedEvent } from '../../log/check-log.ts';
import type { StoredEvent } from '../../log/stored-event.ts';

export interface SourceDamage {
  /** Events that cannot be read any more. */
  readonly events: number;
  /** Those of them that the target has whole, from an earlier copy: nothing is missing there. */
  readonly kept: number;
  /** The first that the target does not have. */
  readonly missing: readonly DamagedEvent[];
  readonly deadLetters: readonly UnreadLetters[];
  /** Where a part of the seal is damaged; null: nowhere. */
  readonly sealPosition: number | null;
}

export interface DamageFound {
  add(damaged: StoredEvent): void;
  /** The target has it whole. */
  addKept(): void;
  addLetters(unread: UnreadLetters): void;
  setSeal(position: number): void;
  result(): SourceDamage;
}

const namedMax = 20;

export function createDamageFound(): DamageFound {
  const missing: DamagedEvent[] = [];
  const deadLetters: UnreadLetters[] = [];
  let sealPosition: number | null = null;
  let events = 0;
  let kept = 0;
  return {
    add({ position, event, damage = '' }) {
      events += 1;
      if (missing.length < namedMax) missing.push({ position, eventId: event.id, damage });
    },
    addKept() {
      events += 1;
      kept += 1;
    },
    addLetters: (unread) => void deadLetters.push(unread),
    setSeal(position) {
      sealPosition = position;
    },
    result: () => ({ events, kept, missing, deadLetters, sealPosition }),
  };
}

export function joinDamage(one: SourceDamage, other: SourceDamage): SourceDamage {
  return {
    events: one.events + other.events,
    kept: one.kept + other.kept,
    missing: [...one.missing, ...other.missing].slice(0, namedMax),
    deadLetters: [...one.deadLetters, ...other.deadLetters],
    sealPosition: one.sealPosition ?? other.sealPosition,
  };
}

export function isDamaged({ events, deadLetters, sealPosition }: SourceDamage): boolean {
  return events + deadLetters.length > 0 || sealPosition !== null;
}
