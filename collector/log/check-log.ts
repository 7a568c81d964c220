/**
 * Reads a whole log and reports its damaged events: texts that are no longer events or belong to
 * another event, and unreadable pages.
 *
 * Does not: repair anything, nor notice a changed figure in a text that is still an event.
 */
import type { Log } from './log.ts';

export interface DamagedEvent {
  readonly position: number;
  /** Empty when it cannot be read. */
  readonly eventId: string;
  readonly damage: string;
}

export interface CheckedLog {
  readonly events: number;
  readonly damaged: number;
  /** The first damaged events. */
  readonly first: readonly DamagedEvent[];
}

const eventsPerRead = 1_000;
/** Characters of the events' texts. */
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
