/** Counts the damaged events of a log that is copied, and names the first of them. */
import type { DamagedEvent } from '../log/check-log.ts';
import type { StoredEvent } from '../log/stored-event.ts';

export interface SourceDamage {
  /** Events that cannot be read any more. */
  readonly events: number;
  /** Those of them that the target has whole, from an earlier copy: nothing is missing there. */
  readonly kept: number;
  /** The first that the target does not have. */
  readonly missing: readonly DamagedEvent[];
}

export interface DamageFound {
  add(damaged: StoredEvent): void;
  /** The target has it whole. */
  addKept(): void;
  result(): SourceDamage;
}

const namedMax = 20;

export function createDamageFound(): DamageFound {
  const missing: DamagedEvent[] = [];
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
    result: () => ({ events, kept, missing }),
  };
}

export function joinDamage(one: SourceDamage, other: SourceDamage): SourceDamage {
  return {
    events: one.events + other.events,
    kept: one.kept + other.kept,
    missing: [...one.missing, ...other.missing].slice(0, namedMax),
  };
}
