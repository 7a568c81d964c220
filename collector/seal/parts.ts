/** The events of a seal. */
import type { LedgerEvent } from '@pi-ledger/contract';
import type { Log } from '../log/log.ts';
import type { Piece } from './content.ts';

interface PartsOptions {
  readonly log: Log;
  readonly now: () => number;
  /** A UUID. */
  readonly random: () => string;
}

export function createParts({ log, now, random }: PartsOptions, floorMs: number) {
  const sealId = random();
  let part = 0;
  let first = 0;
  return {
    sealId,
    /** Position of the first part. */
    first: () => first,
    /** Position of the last part. */
    async append({ content, isLast }: Piece): Promise<number> {
      part += 1;
      const event = partEvent({ sealId, floorMs, part, isLast, content }, now(), random());
      await log.append({ receivedAtMs: now(), events: [event], deadLetters: [] });
      const position = await log.history.positionOf(event.id);
      if (position === null)
        throw new Error(`Part ${part} of the sealed history ${sealId} was not stored.`);
      if (part === 1) first = position;
      return position;
    },
  };
}

/** A UUIDv7 of now, with the digits of a random UUID. */
function partEvent(
  data: LedgerEvent<'pi.history.sealed.v1'>['data'],
  nowMs: number,
  uuid: string,
): LedgerEvent {
  const time = nowMs.toString(16).padStart(12, '0');
  return {
    specversion: '1.0',
    id: `${time.slice(0, 8)}-${time.slice(8)}-7${uuid.slice(15)}`,
    source: '/collector',
    type: 'pi.history.sealed.v1',
    time: new Date(nowMs).toISOString(),
    subject: data.sealId,
    data,
  };
}
