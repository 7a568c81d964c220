/**
 * Reads a whole log and says which of its events are damaged: text that is no event any more, or
 * another one's, and pages that cannot be read.
 *
 * Does not: repair anything, nor notice a changed figure in a text that still is an event.
 */
import type { Log } from './log.ts';

export interface DamagedEvent {
  readonly position: number;
  /** Empty where it cannot be read. */
  readonly eventId: string;
  readonly damage: string;
}

export interface CheckedLog {
  readonly events: number;
  readonly damaged: number;
  /** The first ones. */
  readonly first: readonly DamagedEvent[];
}

const eventsPerRead = 1_000;
/** Of their texts. */
const charsPerRead = 8 * 1024 * 1024;

export async function checkLog(log: Pick<Log, 'read'>, namedMax: number): Promise<CheckedLog> {
  const first: DamagedEvent[] = [];
  let events = 0;
  let damaged = 0;
  for (let after = 0; ; ) {
    const read = await log.read(after, eventsPerRead, charsPerRead);
    for (const { position, event, damage } of read) {
      if (damage === undefined) continue;
      damaged += 1;
      if (first.length < namedMax) first.push({ position, eventId: event.id, damage });
    }
    events += read.length;
    after = read.at(-1)?.position ?? after;
    if (read.length === 0) return { events, damaged, first };
  }
}
