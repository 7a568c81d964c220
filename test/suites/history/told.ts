/** The number of the last story event in a log; everything below the floor was told. */
import type { Log } from '../../../collector/log/log.ts';

export async function newestTold(log: Log): Promise<number> {
  let newest = ((await log.history.seal())?.floorMs ?? 1) - 1;
  for (let after = 0; ; ) {
    const read = await log.read(after, 1_000);
    const told = read
      .filter(({ event }) => event.type !== 'pi.history.sealed.v1')
      .map(({ event }) => numberOf(event.id));
    newest = told.reduce((most, each) => Math.max(most, each), newest);
    const last = read.at(-1);
    if (last === undefined) return newest;
    after = last.position;
  }
}

/** The number of a story event, from its id. */
export function numberOf(eventId: string): number {
  return Number.parseInt(eventId.slice(0, 8) + eventId.slice(9, 13), 16);
}
