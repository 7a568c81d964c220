/**
 * Whether each record that was moved counts once: what takes it out of a session has to put it into
 * another. Sums follow each move, and single units only the last one, so both look right when a
 * move is missing or is there twice.
 */
import { type LogMove, type LogRow, readEvent } from './log-events.ts';
import type { Unit } from './unit.ts';

/** A record that its moves make count `count` times, which is not once. */
export interface Unpaired {
  readonly eventId: string;
  readonly unit: Unit;
  readonly count: number;
}

interface Moved {
  /** It is the unit of the last move. */
  unit: Unit;
  /** By session: how often it was put in, less how often it was taken out. */
  readonly net: Map<string, number>;
}

export interface MovePairs {
  add(move: LogMove): void;
  /** Reads the log again if moves do not come in pairs: the records themselves may be missing. */
  unpaired(rows: () => AsyncIterable<LogRow>): Promise<readonly Unpaired[]>;
}

export function createMovePairs(): MovePairs {
  const byEvent = new Map<string, Moved>();
  return {
    add({ eventId, isIn, unit }) {
      const moved = byEvent.get(eventId) ?? { unit, net: new Map<string, number>() };
      byEvent.set(eventId, moved);
      moved.unit = unit;
      addTo(moved.net, unit.sessionId, isIn ? 1 : -1);
    },
    async unpaired(rows) {
      const odd = new Map([...byEvent].filter(([, { net }]) => !isOneStep(net)));
      if (odd.size === 0) return [];
      for await (const { event } of rows()) {
        const said = readEvent(event);
        const moved = said.about === 'unit' ? odd.get(String(event.id)) : undefined;
        if (said.about === 'unit' && moved !== undefined) addTo(moved.net, said.unit.sessionId, 1);
      }
      return [...odd].flatMap(([eventId, { unit, net }]) => {
        const counts = [...net.values()];
        const count = counts.reduce((sum, each) => sum + each, 0);
        return count === 1 && counts.every((each) => each >= 0) ? [] : [{ eventId, unit, count }];
      });
    },
  };
}

/** From one session into another, by however many steps, or back to where it was. */
function isOneStep(net: ReadonlyMap<string, number>): boolean {
  const steps = [...net.values()].filter((each) => each !== 0).toSorted((a, b) => a - b);
  return steps.length === 0 || (steps.length === 2 && steps[0] === -1 && steps[1] === 1);
}

function addTo(net: Map<string, number>, sessionId: string, by: number): void {
  net.set(sessionId, (net.get(sessionId) ?? 0) + by);
}
